#include "core/predict/backward_kernel.h"

#include <algorithm>
#include <functional>
#include <queue>
#include <vector>

#include "core/chip/fast_pace.h"
#include "core/chip/l2_model.h"
#include "core/chip/visit_pace.h"
#include "core/predict/backward_pace.h"
#include "core/predict/ceilings.h"
#include "core/problem/fast_kernels.h"
#include "core/problem/shares_plan.h"

namespace tilewalk {
namespace {

constexpr int kWarps = 8;
constexpr double kSharedBytesPerCycle = 128, kSmPortBytes = kSmPortBytesPerCycle;
// mma.sync with fragments from shared memory that each feed four products: 0.845 of the reached rate, where FA-2's two
// products reach 0.62.
constexpr double kProductsBesideFlashV2 = 0.845 / 0.62;
constexpr double kAddedBytesPerSecond = 12.7 * 1.96e9;  // red.global.add.v4.f32 of an SM, all SMs at once
constexpr std::size_t kMostBlocks = 1 << 16;            // simulated one by one
constexpr double kFirstLoads = 1e-6;                    // of a launch's first thread blocks, two latencies of DRAM

double added_cycles(double values, const DeviceModel& device) {
  return 4 * values / kAddedBytesPerSecond * device.reached_clock_hz();
}

// The time of the thread blocks of one launch, in the unit of `edges` and `visit`: for each head so many tiles, each of
// which visits others, by the tile and the head. They begin section by section of heads: the first tiles of all its
// heads first, as in kernels/fast/backward_order.h. The edges of a head's last tile may be shorter.
struct Edges {
  double whole = 0, last = whole;
  double of(std::int64_t tile, std::int64_t tiles) const { return tile == tiles - 1 ? last : whole; }
};
template <class Visits>
double walk_cycles(std::int64_t heads, std::int64_t tiles, fast::BackwardSections sections, int sms, Edges edges,
                   double visit, const Visits& visits) {
  if (double(heads) * double(tiles) > double(kMostBlocks)) {
    double head = 0;
    for (std::int64_t j = 0; j < tiles; ++j) head += edges.of(j, tiles) + double(visits(j, 0)) * visit;
    return head * double(heads) / sms + double(visits(0, 0)) * visit / 2;
  }
  std::priority_queue<double, std::vector<double>, std::greater<>> free_at;
  for (int sm = 0; sm < sms; ++sm) free_at.push(0);
  double end = 0;
  const std::int64_t in_larger = sections.larger * (sections.heads + 1) * tiles;
  for (std::int64_t block = 0; block < heads * tiles; ++block) {
    const bool larger = block < in_larger;
    const std::int64_t of_section = sections.heads + larger, at = larger ? block : block - in_larger;
    const std::int64_t tile = at % (of_section * tiles) / of_section;
    const std::int64_t head = (larger ? 0 : sections.larger * (sections.heads + 1)) +
                              at / (of_section * tiles) * of_section + at % of_section;
    const double done = free_at.top() + edges.of(tile, tiles) + double(visits(tile, head)) * visit;
    free_at.pop();
    free_at.push(done);
    end = std::max(end, done);
  }
  return end;
}

struct Kernel {
  const AttentionCall& call;
  const DeviceModel& device;
  Contender who;
  BackwardVisit visit;
  std::int64_t d = 0;  // as built
  std::int64_t group = call.all_heads() / call.all_kv_heads();
  fast::SharesShape shape{call.all_kv_heads(), group, call.n, call.n, (call.d + 7) / 8 * 8, call.causal};
  bool all_keys = fast::backward_build(who, shape, device.sms).all_keys;
  BackwardKernelTile tile = visit.tile;
  std::int64_t q_tiles = (call.n + tile.queries - 1) / tile.queries, kv_tiles = (call.n + tile.keys - 1) / tile.keys;
  std::int64_t shares = fast::shares_of(who, shape, device.sms);
  // Above d = 128 FA-3's kernels walk head by head.
  fast::BackwardSections sections = who == Contender::FlashV3Backward && d > 128
                                        ? fast::BackwardSections{}
                                        : fast::backward_sections(who, shape, shares, device.sms);

  // Loads of K and V, stores of dK and dV, and a latency.
  double edge_cycles() const { return 8 * double(tile.keys) * double(d) / kSmPortBytes + device.dram_latency_cycles; }

  // head: of K and V, or of a share.
  double visits_of(std::int64_t kv_tile, std::int64_t head) const {
    const std::int64_t skipped = call.causal ? kv_tile * tile.keys / tile.queries : 0;
    double visits = double(q_tiles - std::min(q_tiles, skipped));
    if (pace && visits > 0) {
      // The first visit's rows see no key of the tile's last part, where a tile of queries is shorter.
      const bool hides = call.causal && tile.queries < tile.keys;
      const double last = pace->visit_share(call.n - (q_tiles - 1) * tile.queries, tile.queries);
      const double first = hides ? pace->hidden_visit : 1;
      visits -= visits > 1 ? 2 - last - first : 1 - std::min(last, first);
    }
    return visits * double(fast::heads_of_share(group, shares, head % shares));
  }

  bool short_rows() const { return call.n <= fast::kShortBackwardRows; }
  const BackwardPace* pace = backward_pace(who, d, device, short_rows(), all_keys ? tile.keys : 0);

  double walk_seconds() const {
    const auto visits = [this](std::int64_t j, std::int64_t head) { return visits_of(j, head); };
    const std::int64_t heads = call.all_kv_heads() * shares;
    if (pace) {
      const std::int64_t keys = call.n - (kv_tiles - 1) * tile.keys;  // of the last tile
      return walk_cycles(heads, kv_tiles, sections, device.sms * pace->blocks,
                         {pace->item_us, pace->item_us * item_share(keys, tile.keys)}, pace->visit_us, visits) *
             pace->share_of_few(filled()) * 1e-6;
    }
    return walk_cycles(heads, kv_tiles, sections, device.sms, {edge_cycles()}, visit.cycles(), visits) /
           device.reached_clock_hz();
  }

  // Share of the places that a first wave of thread blocks takes.
  double filled() const {
    const double blocks = double(call.all_kv_heads()) * double(shares) * double(kv_tiles);
    return std::min(1.0, blocks / (double(device.sms) * pace->blocks));
  }

  int launches() const { return 3 - all_keys + (shares > 1); }
  // What first thread blocks wait for.
  double first_seconds() const {
    if (!pace) return launches() * kFirstLoads;
    return pace->first_us * (short_rows() ? filled() : 1) * 1e-6 + (shares > 1) * kFirstLoads;
  }

  // Sums of dK and dV of the shares, in fp32: written, read again, and rounded.
  double sums_of_shares() const {
    return shares == 1 ? 0 : 8 * double(shares) * double(call.n) * double(call.d) * double(call.all_kv_heads());
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
  // Half of the scores in registers at once: in S and dP, a fragment of K or V feeds two products, not four.
  const double halves = d == 160 ? 0.6 + 0.4 * kProductsBesideFlashV2 : 1;
  out.products = std::max(10 * queries * keys * double(d) / rate * halves, shared);
  out.adds = added_cycles(queries * double(d), device);
  // One of the two groups of four warps computes them. Two thread blocks share an SM at d = 32.
  out.exponentials = queries * keys / device.exp_per_cycle / (d == 32 ? 1 : kLoneSoftmax);
  return out;
}

BackwardVisit flash_v3_backward_visit(std::int64_t d, const DeviceModel& device) {
  return flash_v3_backward_visit(d, device, {fast_tile(Contender::FlashV3Backward, d, false)});
}

BackwardVisit flash_v3_backward_visit(std::int64_t d, const DeviceModel& device, const fast::BackwardBuild& build) {
  const FastTile& tile = build.tile;
  BackwardVisit out{.tile = {.queries = tile.rows, .keys = tile.keys}, .adds_beside = true};
  const double queries = double(tile.rows), keys = double(tile.keys), width = 2 * double(d);
  if (d > 128) {
    // dK and dV, in one warpgroup each: two products of scores, with 64 rows of A and of B in shared memory, and two of
    // gradients, with A in registers.
    const double shared = width * (2 * (64 + 64) + 2 * 64) / kSharedBytesPerCycle;
    out.products = std::max(8 * queries * keys * double(d) / device.reached_flop_per_cycle(), shared);
    out.exponentials = queries * keys / device.exp_per_cycle;
    return out;
  }
  // A product of a warpgroup reads 64 lines of A, unless they are registers, and all lines of B. S and dP; dV and dK
  // with A in registers; dQ in blocks of 64 x 64; dS once stored; dQ stored in fp32 and read by the copy engine.
  const double groups = keys / 64, block = 64 * 2 * keys;
  const double scores = 2 * groups * width * (64 + queries), grads = 2 * groups * width * queries;
  const double stored = (build.all_keys ? 2 : 4) * queries * double(d);
  const double sums = queries / 64 * double(d) / 64 * 2 * block + 2 * stored;
  const double shared = (scores + grads + sums + 2 * queries * keys) / kSharedBytesPerCycle;
  out.products = std::max(10 * queries * keys * double(d) / device.reached_flop_per_cycle(), shared);
  out.adds = build.all_keys ? 0 : added_cycles(queries * double(d), device);
  out.exponentials = queries * keys / device.exp_per_cycle;
  return out;
}

BackwardVisit flash_v3_backward_queries_visit(std::int64_t d, const DeviceModel& device) {
  BackwardVisit out{.tile = {.queries = 128, .keys = 64}};
  const double queries = double(out.tile.queries), keys = double(out.tile.keys), width = 2 * double(d);
  // Two warpgroups, 64 queries each: S and dP, and dQ with A in registers.
  const double shared = 2 * width * (2 * (64 + keys) + keys) / kSharedBytesPerCycle;
  out.products = std::max(6 * queries * keys * double(d) / device.reached_flop_per_cycle(), shared);
  out.exponentials = queries * keys / device.exp_per_cycle;
  return out;
}

namespace {

// Seconds of FA-3's kernel for dQ above d = 128: thread blocks of 128 queries, which walk the visible keys.
double queries_seconds(const AttentionCall& call, const DeviceModel& device, std::int64_t d) {
  const BackwardVisit visit = flash_v3_backward_queries_visit(d, device);
  const std::int64_t rows = visit.tile.queries, keys = visit.tile.keys;
  // Loads of Q and dO, the store of dQ, and a latency.
  const double edges = 6 * double(rows) * double(d) / kSmPortBytes + device.dram_latency_cycles;
  const std::int64_t tiles = (call.n + rows - 1) / rows;
  const auto visits = [&](std::int64_t tile, std::int64_t) {  // the longest first
    const std::int64_t seen = call.causal ? std::min(call.n, (tiles - tile) * rows) : call.n;
    return (seen + keys - 1) / keys;
  };
  return walk_cycles(call.all_heads(), tiles, {}, device.sms, {edges}, visit.cycles(), visits) /
         device.reached_clock_hz();
}

KernelCost cost_of(const Kernel& kernel, double queries_s = 0) {
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
  const double walk_written = 2 * kv + sum * (1 + again) + (kernel.all_keys ? q : 0);
  const double after = kernel.all_keys ? 0 : sum * (1 - after_walk) + q;
  const double shares = kernel.sums_of_shares(), added = shares > 0 ? shares + 2 * kv : 0;
  const double per_second = ceilings_of(device).bytes_per_s;
  const double walk_s = kernel.walk_seconds() + queries_s, walk_bytes = walk_read + walk_written + shares;
  const BackwardPace& pace = kernel.pace ? *kernel.pace : BackwardPace{};
  return {.seconds = pace.both(walk_s, walk_bytes / per_second) +
                     (before / pace.before + after / pace.after + added) / per_second + kernel.first_seconds(),
          .dram_bytes = before + walk_bytes + after + added,
          .launches = kernel.launches()};
}

}  // namespace

KernelCost flash_v2_backward_cost(const AttentionCall& call, const DeviceModel& device) {
  const std::int64_t d = built_d(Contender::FlashV2Backward, call.d);
  return cost_of({call, device, Contender::FlashV2Backward, flash_v2_backward_visit(d, device), d});
}

KernelCost flash_v3_backward_cost(const AttentionCall& call, const DeviceModel& device) {
  const std::int64_t d = built_d(Contender::FlashV3Backward, call.d);
  const fast::BackwardBuild build = fast::backward_build(
      Contender::FlashV3Backward,
      {call.all_kv_heads(), call.all_heads() / call.all_kv_heads(), call.n, call.n, (call.d + 7) / 8 * 8, call.causal},
      device.sms);
  return cost_of({call, device, Contender::FlashV3Backward, flash_v3_backward_visit(d, device, build), d},
                 d > 128 ? queries_seconds(call, device, d) : 0);
}

}  // namespace tilewalk
