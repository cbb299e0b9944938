#include "core/chip/visit_pace.h"

#include <algorithm>

#include "base/divide.h"
#include "core/chip/timeline.h"
#include "core/problem/fast_kernels.h"
#include "core/schedules/registry.h"

namespace tilewalk {
namespace {

constexpr int kSchedulers = 4, kWarp = 32;  // of an SM
constexpr double kSharedBytesPerCycle = 128;
// Share of the products' rate that one warp a scheduler reaches, parts_h200: 0.65 to 0.92. kLoneWait is the time that
// an mma.sync (m16n8k16) waits for its warp beside its own 7.5 cycles.
constexpr double kLoneProducts = 0.72;
constexpr double kInstructionFlops = 2.0 * 16 * 8 * 16;
constexpr double kLoneWait = 7.55 * (1 / kLoneProducts - 1);  // cycles
constexpr std::int64_t kKeysOfMask = 256;  // of a tile, from which a warp alone on its scheduler is slower with a mask
constexpr int kRegistersBeside = 40;       // registers of a thread beside its scores and sums: operands, addresses
constexpr int kMostRegisters = 255;

}  // namespace

Problem built_for(const Problem& p) {
  if (p.numerics.dtype == DType::Fp32 || p.shape.d > kLargestFastHead || !has_lanes(p.schedule)) return p;
  Problem out = p;
  // The builds for 32, 48, 96 and 112 are recorded on Hopper alone, where fast_pace has their pace. Elsewhere the model
  // describes those for 64 and 128, which compute the same in 1.05 to 1.56 times as long there (kernels/NOTES.md).
  const std::int64_t built = built_d(row_of(p).chip.built_as, p.shape.d);
  out.shape.d = built < 64 ? 64 : built > 64 && built < 128 ? 128 : built;
  return out;
}

int threads_of_block(const Problem& p) {
  const int own = row_of(p).chip.threads;
  return own > 0 ? own : p.shape.d > 128 && p.tiling.br > 64 ? 256 : 128;  // four warps, or eight
}

int registers_of_thread(const Problem& p) {
  const std::int64_t sums = p.tiling.br * (round_up(p.shape.d, 16) + p.tiling.bc);
  return int(std::min<std::int64_t>(kMostRegisters, sums / threads_of_block(p) + kRegistersBeside));
}

bool has_lone_warps(const Problem& p, int together) { return threads_of_block(p) * together < 2 * kSchedulers * kWarp; }

UnitShares unit_shares(const Problem& p, double flop_per_cycle, int together) {
  if (!has_lone_warps(p, together)) return {};
  if (p.numerics.dtype == DType::Fp32) return {kLoneProducts, kLoneSoftmax};
  const double instruction = kInstructionFlops * kSchedulers / flop_per_cycle;
  return {instruction / (instruction + kLoneWait), kLoneSoftmax};
}

double product_rate(const Problem& p, const DeviceModel& device) {
  if (p.numerics.dtype == DType::Fp32) return 2.0 * device.fp32_lanes;
  const bool warpgroup = row_of(p).chip.products_by == ProductBy::Warpgroup;
  return device.reached_flop_per_cycle() * (warpgroup ? 1 : device.mma_sync_share);
}

VisitPace::VisitPace(const Problem& walked, const DeviceModel& device, std::int64_t columns) {
  Problem p = built_for(walked);
  if (columns > 0) p.shape.d = columns;
  const ScheduleChip& chip = row_of(p).chip;
  const std::int64_t rows = round_up(p.tiling.br, 16), keys = round_up(p.tiling.bc, 8), d = round_up(p.shape.d, 16);
  const double scores = double(rows) * double(keys);
  const double flops = chip.products * 2.0 * scores * double(d);
  products_ = flops / product_rate(p, device);
  // K and V are loaded at every visit. Where K and V stay for a whole round, the visit loads Q, and loads and stores O
  // in fp32.
  const bool keys_stay = row_of(p).walk.block == BlockKind::Head;
  if (chip.products_by == ProductBy::MmaSync && p.numerics.dtype != DType::Fp32) {
    // Each warp reads all of K and V for its own rows, and Q again; or its own keys for all rows. Incoming tiles are
    // written to shared memory.
    const double warps = double(threads_of_block(p)) / kWarp;
    const double key_readers = chip.warps_share_rows ? 1 : warps, row_readers = chip.warps_share_rows ? warps : 1;
    const double read = key_readers * chip.products * double(keys) + row_readers * double(rows);
    const double written = keys_stay ? double(rows) : 2 * double(keys);
    products_ = std::max(products_, (read + written) * double(d) * p.numerics.element_bytes() / kSharedBytesPerCycle);
  }
  beside_ = chip.softmax_beside_products;
  const double by_polynomial = row_of(p).settings.exp2_share ? p.lanes.exp2_share : 0;
  const double exponentials = (1 - by_polynomial) / device.exp_per_cycle;
  softmax_ = scores * (beside_ ? exponentials + kOtherOpsPerScore / device.fp32_lanes : exponentials);
  const double wider = chip.exchange_per_column * double(std::max<std::int64_t>(0, p.shape.d - 64));
  const double skipped = chip.skipped_per_column * double(p.shape.d - walked.shape.d);
  const bool masks = is_causal(p.shape.mask.kind) && keys >= kKeysOfMask;
  exchange_alone_ = chip.exchange_cycles_alone + wider - skipped + (masks ? chip.mask_cycles : 0);
  exchange_ = chip.exchange_cycles_alone > 0 ? chip.exchange_cycles * exchange_alone_ / chip.exchange_cycles_alone : 0;
  alone_ = unit_shares(p, flops / products_, 1), beside_others_ = unit_shares(p, flops / products_, 2);
  lone_rate_ = beside_ ? device.matrix16_flop_per_cycle : flops / products_ * alone_.products;

  const MemoryShare memory = memory_share(p, device);
  const double row_bytes = double(p.shape.d) * p.numerics.element_bytes();
  const double visit_bytes =
      keys_stay ? double(p.tiling.br) * (row_bytes + 8 * double(p.shape.d)) : 2 * double(p.tiling.bc) * row_bytes;
  loads_ = visit_bytes / memory.bytes_per_cycle;
  const double busy = double(std::min<std::int64_t>(device.sms, thread_blocks(p)));
  const double dram = device.reached_bytes_per_s() / device.reached_clock_hz() / busy;
  // Where K and V stay for a round, each round begins with loading them.
  const double rounds = keys_stay ? double((p.shape.n_kv + p.tiling.bc - 1) / p.tiling.bc) : 1;
  const double loaded = keys_stay ? double(p.tiling.bc) : double(p.tiling.br);
  edges_ = rounds * 2 * loaded * row_bytes / std::min(kSmPortBytesPerCycle, dram);
  latency_ = device.dram_latency_cycles;
}

double VisitPace::visit(int together) const { return std::max(computing(together), loads(together)); }

double VisitPace::computing(int together) const {
  if (beside_) return std::max(products_, softmax_) * together;
  const UnitShares share = together == 1 ? alone_ : beside_others_;
  const double products = products_ / share.products, softmax = softmax_ / share.softmax;
  const double exchange = together == 1 ? exchange_alone_ : exchange_;
  return (products + softmax + exchange) * together;
}

double VisitPace::begin_and_end(int together) const { return edges_ * together + latency_; }

}  // namespace tilewalk
