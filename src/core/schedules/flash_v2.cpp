// FlashAttention-2, forward (arXiv 2307.08691, Algorithm 1): Q tiles outside, one write of O, wholly masked tiles
// skipped. A Q tile keeps Q, O, m and l on chip; K and V stay for one visit; P overwrites S.
#include "core/problem/device_model.h"
#include "core/problem/fast_kernels.h"
#include "core/schedules/rows.h"
#include "core/walk/phase_costs.h"

namespace tilewalk {

SchedulePlan flash_v2_plan(const Problem& p) {
  SchedulePlan plan;
  plan.sections = {{.name = SectionName::Walk,
                    .prologue = {Phase::LoadQ},
                    .visit = {Phase::LoadKV, Phase::Scores, Phase::Mask, Phase::RowMax, Phase::Rescale,
                              Phase::Exponentiate, Phase::RowSum, Phase::Accumulate},
                    .epilogue = {Phase::Normalise, Phase::Store}}};
  const std::int64_t d = p.shape.d, e = p.numerics.element_bytes();

  plan.cost = [d, e](SectionName, Phase phase, std::int64_t r, std::int64_t c) -> Cost {
    switch (phase) {
      case Phase::LoadQ: return costs::load({{TensorId::Q, r * d * e}}, r * d * 4 + r * 8);
      case Phase::LoadKV: return costs::load({{TensorId::K, c * d * e}, {TensorId::V, c * d * e}});
      case Phase::Scores: return costs::scores(r, c, d, e);
      case Phase::RowMax: return costs::work(0, r * c, {r * c * 4 + r * 4, r * 4});
      case Phase::Rescale: return costs::work(r, r + r * d, {r * 8 + r * d * 4, r * 4 + r * d * 4});
      case Phase::Exponentiate: return costs::exponentiate(r, c);
      case Phase::RowSum: return costs::work(0, r * c + 2 * r, {r * c * 4 + r * 8, r * 4});
      case Phase::Accumulate: return costs::product(r, c, d, {r * c * 4 + c * d * e + r * d * 4, r * d * 4});
      case Phase::Normalise: return costs::normalise(r, d);
      case Phase::Store: return costs::store_output(r, d, e);
      default: return {};  // Mask: applied as scores are written, no traffic and no floating point
    }
  };

  plan.residents = [d, e](SectionName, Phase phase, std::int64_t r, std::int64_t c) {
    std::vector<Resident> now = {{TensorId::Q, r * d * e}};
    const bool in_visit = phase != Phase::LoadQ && phase != Phase::Normalise && phase != Phase::Store;
    if (in_visit) {
      now.push_back({TensorId::K, c * d * e});
      now.push_back({TensorId::V, c * d * e});
    }
    if (in_visit && phase != Phase::LoadKV) {
      const bool is_p = phase == Phase::Exponentiate || phase == Phase::RowSum || phase == Phase::Accumulate;
      now.push_back({is_p ? TensorId::P : TensorId::S, r * c * 4});
    }
    now.push_back({TensorId::O, r * d * 4});
    now.push_back({TensorId::m, r * 4});
    now.push_back({TensorId::l, r * 4});
    return now;
  };
  return plan;
}

const char* why_no_flash_v2_kernel(const Problem& p) {
  const int capability = capability_of(p);
  return capability > 0 && capability < kAmpere ? "FlashAttention-2 needs an Ampere GPU or later." : nullptr;
}

namespace {

// csrc/flash_attn/src/flash_fwd_launch_template.h: fp16 and bf16, no dropout.
RealTile flash_v2_tile(const Problem& p) {
  const int capability = capability_of(p);
  const bool small = capability > kAmpere && capability < kHopper, causal = is_causal(p.shape.mask.kind);
  if (p.shape.d <= 64) return {128, 128, 4, "", kFlashV2Source};
  if (p.shape.d <= 128 && small && causal)
    return {64, 64, 4, "square tiles for causal where shared memory is 99 KiB", kFlashV2Source};
  if (p.shape.d <= 96) return {128, 64, 4, "", kFlashV2Source};
  if (p.shape.d <= 128 && small) return {128, 32, 4, "48 KB, so that two thread blocks fit an SM", kFlashV2Source};
  if (p.shape.d <= 128) return {128, 64, 4, "", kFlashV2Source};
  if (p.shape.d <= 192) return {128, 64, 8, "", kFlashV2Source};
  // The large tile where one of its thread blocks fits an SM, and two of the small tile do not.
  constexpr std::int64_t kLargeTile = 2 * 256 * (128 + 2 * 64), kTwoSmallTiles = 2 * 2 * 256 * (64 + 2 * 64);
  const std::optional<DeviceModel> device = device_named(p.machine.device);
  if (device && device->sram_per_block_bytes >= kLargeTile && device->sram_per_sm_bytes < kTwoSmallTiles)
    return {128, 64, 8, "128 KB of shared memory", kFlashV2Source};
  return {64, 64, 4, "96 KB, so that two thread blocks fit an H100 SM", kFlashV2Source};
}

}  // namespace

std::int64_t flash_v2_shared_bytes(const Problem& p, const DeviceModel& device) {
  const auto bytes = [&](int stages) {
    return flash_v2_shared(p.shape.d, p.tiling.br, p.tiling.bc, p.numerics.element_bytes(), stages);
  };
  // Two stages of K and V, as in kernels/fast; one, as in the released kernels, where that lets two blocks share an SM.
  return 2 * bytes(2) > device.sram_per_sm_bytes && 2 * bytes(1) <= device.sram_per_sm_bytes ? bytes(1) : bytes(2);
}

const ScheduleRow kFlashV2{
    .identity = {.kind = ScheduleKind::FlashV2, .id = "flash_v2", .title = "FA-2", .tab = "FA-2"},
    .family = {.before = ScheduleKind::FlashV1,
               .naive = ScheduleKind::Standard,
               .tiled = ScheduleKind::FlashV2,
               .forward = ScheduleKind::FlashV2},
    .walk = {.plan = flash_v2_plan,
             .replay = by_rows<make_flash_v2_replay>,
             .softmax = SoftmaxKind::Online,
             .block = BlockKind::QTile,
             .sections = kOneWalk},
    .settings = {.faults = kEveryFault},
    .formulas = {.textbook = flash_v2_textbook, .whole_run = flash_v2_whole_run},
    .memory = {.tensors = kOutputOnce},
    .lanes = {.write = flash_v2_lanes},
    .chip = {.built_as = Contender::FlashV2, .shared_bytes = flash_v2_shared_bytes, .longest_first = true},
    .released = {.name = "fa2", .title = "FA-2's kernel", .tile = flash_v2_tile, .why_not = why_no_flash_v2_kernel}};

}  // namespace tilewalk
