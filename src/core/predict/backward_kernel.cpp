#include "core/predict/backward_kernel.h"

#include <algorithm>
#include <functional>
#include <queue>
#include <vector>

#include "core/chip/l2_model.h"
#include "core/predict/ceilings.h"
#include "core/problem/fast_kernels.h"

namespace tilewalk {
namespace {

constexpr int kWarps = 8;
constexpr double kSharedBytesPerCycle = 128, kSmPortBytes = kSmPortBytesPerCycle;
// mma.sync with fragments from shared memory that each feed four products: 0.845 of the reached rate, where FA-2's two
// products reach 0.62.
constexpr double kProductsBesideFlashV2 = 0.845 / 0.62;
constexpr double kAddedBytesPerSecond = 12.7 * 1.96e9;  // red.global.add.v4.f32 of an SM, all SMs at once
constexpr std::size_t kMostBlocks = 1 << 16;            // simulated one by one

double added_cycles(double values, const DeviceModel& device) {
  return 4 * values / kAddedBytesPerSecond * device.reached_clock_hz();
}

struct Kernel {
  const AttentionCall& call;
  const DeviceModel& device;
  BackwardVisit visit;
  std::int64_t d = 0;  // as built
  BackwardKernelTile tile = visit.tile;
  std::int64_t q_tiles = (call.n + tile.queries - 1) / tile.queries, kv_tiles = (call.n + tile.keys - 1) / tile.keys;

  // Loads of K and V, stores of dK and dV, and a latency.
  double edge_cycles() const { return 8 * double(tile.keys) * double(d) / kSmPortBytes + device.dram_latency_cycles; }

  std::int64_t visits_of(std::int64_t kv_tile) const {
    const std::int64_t skipped = call.causal ? kv_tile * tile.keys / tile.queries : 0;
    return (q_tiles - std::min(q_tiles, skipped)) * (call.all_heads() / call.all_kv_heads());
  }

  double walk_seconds() const {
    const double cycles = visit.cycles(), edges = edge_cycles(), hz = device.reached_clock_hz();
    const std::int64_t heads = call.all_kv_heads();
    if (double(heads) * double(kv_tiles) > double(kMostBlocks)) {
      double head = 0;
      for (std::int64_t j = 0; j < kv_tiles; ++j) head += edges + double(visits_of(j)) * cycles;
      return (head * double(heads) / device.sms + double(visits_of(0)) * cycles / 2) / hz;
    }
    std::priority_queue<double, std::vector<double>, std::greater<>> free_at;
    for (int sm = 0; sm < device.sms; ++sm) free_at.push(0);
    double end = 0;
    for (std::int64_t block = 0; block < heads * kv_tiles; ++block) {
      const double done = free_at.top() + edges + double(visits_of(block % kv_tiles)) * cycles;
      free_at.pop();
      free_at.push(done);
      end = std::max(end, done);
    }
    return end / hz;
  }

  // How often a head's Q, dO and dQ are read from DRAM while its KV tiles are walked.
  double passes() const {
    const double columns = double(call.n) * double(call.d);
    // each half of the L2 keeps a copy of read-only data
    const double head = columns * (2 * 2 * call.element_bytes() + 4);
    const double together =
        std::min(double(call.all_heads()), std::max(1.0, double(device.sms) / double(kv_tiles)) + 1);
    if (head * together <= L2Options{}.cycle_read * double(device.l2_bytes)) return 1;
    const double waves = double(kv_tiles) / device.sms;
    return std::min(double(kv_tiles), call.all_kv_heads() > 1 ? waves + 1 : std::max(1.0, waves));
  }
};

}  // namespace

BackwardVisit flash_v2_backward_visit(std::int64_t d, const DeviceModel& device) {
  const FastTile tile = fast_tile(Contender::FlashV2Backward, d, false);
  BackwardVisit out{.tile = {.queries = tile.rows, .keys = tile.keys}};
  const double queries = double(out.tile.queries), keys = double(out.tile.keys), width = 2 * double(d);
  const double rate = device.reached_flop_per_cycle() * std::min(1.0, device.mma_sync_share * kProductsBesideFlashV2);
  // K and V stay in registers, or each warp reads its own part again.
  const double own = d <= 96 || d == 192 ? 0 : keys;
  const double shared = 2 * width * (kWarps * queries + own) / kSharedBytesPerCycle;
  out.products = std::max(10 * queries * keys * double(d) / rate, shared);
  out.adds = added_cycles(queries * double(d), device);
  out.exponentials = queries * keys / device.exp_per_cycle;
  return out;
}

BackwardVisit flash_v3_backward_visit(std::int64_t d, const DeviceModel& device) {
  const FastTile tile = fast_tile(Contender::FlashV3Backward, d, false);
  BackwardVisit out{.tile = {.queries = tile.rows, .keys = tile.keys}, .adds_beside = true};
  const double queries = double(tile.rows), keys = double(tile.keys), width = 2 * double(d);
  if (d > 128) {
    // Two kernels: dK and dV, in one warpgroup each, and dQ. S and dP are multiplied in both, 64 rows of A and of B
    // each; the gradients have A in registers.
    const double shared = width * (4 * (64 + 64) + 3 * 64) / kSharedBytesPerCycle;
    out.products = std::max(14 * queries * keys * double(d) / device.reached_flop_per_cycle(), shared);
    out.exponentials = 2 * queries * keys / device.exp_per_cycle;
    return out;
  }
  // A product of a warpgroup reads 64 lines of A, unless they are registers, and all lines of B. S and dP; dV and dK
  // with A in registers; dQ in blocks of 64 x 64; dS once stored; dQ stored in fp32 and read by the copy engine.
  const double groups = keys / 64, block = 64 * 2 * keys;
  const double scores = 2 * groups * width * (64 + queries), grads = 2 * groups * width * queries;
  const double sums = queries / 64 * double(d) / 64 * 2 * block + 2 * 4 * queries * double(d);
  const double shared = (scores + grads + sums + 2 * queries * keys) / kSharedBytesPerCycle;
  out.products = std::max(10 * queries * keys * double(d) / device.reached_flop_per_cycle(), shared);
  out.adds = added_cycles(queries * double(d), device);
  out.exponentials = queries * keys / device.exp_per_cycle;
  return out;
}

namespace {

KernelCost cost_of(const Kernel& kernel) {
  const AttentionCall& call = kernel.call;
  const DeviceModel& device = kernel.device;
  const double columns = double(call.n) * double(call.d), rows = 4 * double(call.n) * double(call.all_heads());
  const double queries = columns * double(call.all_heads()), keys = columns * double(call.all_kv_heads());
  const double q = queries * call.element_bytes(), kv = keys * call.element_bytes();
  const double sum = kernel.visit.adds > 0 ? 4 * queries : 0;  // dQ before it is rounded
  // Bytes that the previous launch left in L2: O and dO were read, dQ's zeros written; and all bytes of the walk.
  const double usable = L2Options{}.usable * double(device.l2_bytes);
  const double after_dots = l2_hit_share(std::int64_t(2 * q + sum), std::int64_t(usable));
  const double after_walk = l2_hit_share(std::int64_t(2 * q + 4 * kv + sum), std::int64_t(usable));
  const double before = 2 * q + sum + rows;
  const double again = kernel.passes() - 1;
  const double walk_read = q + 2 * kv + (q + sum) * (1 - after_dots) + (2 * q + sum) * again + 2 * rows;
  const double walk_written = 2 * kv + sum * (1 + again);
  const double after = sum * (1 - after_walk) + q;
  const double per_second = ceilings_of(device).bytes_per_s;
  return {std::max(kernel.walk_seconds(), (walk_read + walk_written) / per_second) + (before + after) / per_second,
          before + walk_read + walk_written + after};
}

}  // namespace

KernelCost flash_v2_backward_cost(const AttentionCall& call, const DeviceModel& device) {
  const std::int64_t d = built_d(Contender::FlashV2Backward, call.d);
  return cost_of({call, device, flash_v2_backward_visit(d, device), d});
}

KernelCost flash_v3_backward_cost(const AttentionCall& call, const DeviceModel& device) {
  const std::int64_t d = built_d(Contender::FlashV3Backward, call.d);
  return cost_of({call, device, flash_v3_backward_visit(d, device), d});
}

}  // namespace tilewalk
