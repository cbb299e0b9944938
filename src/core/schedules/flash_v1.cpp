// FlashAttention-1, forward (arXiv 2205.14135, Algorithm 1): KV tiles outside. O, m and l of every Q tile return to HBM
// at each visit; O is divided at every inner step, as published. The initial values are written first and read like any
// others. O, m and l are fp32 in HBM; where the dtype has 16 bits, a last launch rounds O once, as the released code
// did. Wholly masked tiles are skipped. The product P V of a visit is in registers, which are not modelled.
#include <algorithm>

#include "core/problem/device_model.h"
#include "core/problem/fast_kernels.h"
#include "core/schedules/rows.h"
#include "core/walk/phase_costs.h"

namespace tilewalk {

namespace {

SchedulePlan flash_v1_plan(const Problem& p) {
  SchedulePlan plan;
  plan.sections = {{.name = SectionName::Initialise, .prologue = {Phase::Initialise}},
                   {.name = SectionName::Walk,
                    .prologue = {Phase::LoadKV},
                    .visit = {Phase::LoadQ, Phase::Scores, Phase::Mask, Phase::RowMax, Phase::Exponentiate,
                              Phase::RowSum, Phase::Rescale, Phase::Accumulate, Phase::Normalise, Phase::Store},
                    .kv_outside = true}};
  if (p.numerics.dtype != DType::Fp32)
    plan.sections.push_back({.name = SectionName::Output, .prologue = {Phase::LoadO, Phase::Store}});
  const std::int64_t d = p.shape.d, e = p.numerics.element_bytes();

  plan.cost = [d, e](SectionName section, Phase phase, std::int64_t r, std::int64_t c) -> Cost {
    const bool in_walk = section == SectionName::Walk;  // O, m and l are read and written, in fp32
    switch (phase) {
      case Phase::Initialise:
        return costs::store({{TensorId::O, r * d * 4}, {TensorId::m, r * 4}, {TensorId::l, r * 4}}, 0);
      case Phase::LoadKV: return costs::load({{TensorId::K, c * d * e}, {TensorId::V, c * d * e}});
      case Phase::LoadQ:
        return costs::load(
            {{TensorId::Q, r * d * e}, {TensorId::O, r * d * 4}, {TensorId::m, r * 4}, {TensorId::l, r * 4}});
      case Phase::Scores: return costs::scores(r, c, d, e);
      case Phase::RowMax:
      case Phase::RowSum: return costs::row_scan(r, c);
      case Phase::Exponentiate: return costs::exponentiate(r, c);
      case Phase::Rescale: return costs::work(2 * r, 6 * r, {r * 16, r * 16});
      case Phase::Accumulate: return costs::product(r, c, d, {r * c * 4 + c * d * e, 0});
      case Phase::Normalise: return costs::work(0, r + 4 * r * d, {r * d * 4 + r * 16, r * d * 4});
      case Phase::Store:
        if (!in_walk) return costs::store({{TensorId::O, r * d * e}}, r * d * 4);
        return costs::store({{TensorId::O, r * d * 4}, {TensorId::m, r * 4}, {TensorId::l, r * 4}}, r * d * 4 + r * 8);
      case Phase::LoadO: return costs::load({{TensorId::O, r * d * 4}});
      default: return {};
    }
  };

  plan.residents = [d, e](SectionName section, Phase phase, std::int64_t r, std::int64_t c) -> std::vector<Resident> {
    if (section == SectionName::Initialise) return {{TensorId::O, 0}};
    if (section == SectionName::Output) return {{TensorId::O, r * d * 4}};
    std::vector<Resident> now;
    if (phase != Phase::LoadKV) now.push_back({TensorId::Q, r * d * e});
    now.push_back({TensorId::K, c * d * e});
    now.push_back({TensorId::V, c * d * e});
    if (phase == Phase::LoadKV) return now;
    if (phase == Phase::Scores || phase == Phase::Mask || phase == Phase::RowMax)
      now.push_back({TensorId::S, r * c * 4});
    else if (phase != Phase::LoadQ && phase != Phase::Normalise && phase != Phase::Store)
      now.push_back({TensorId::P, r * c * 4});
    now.push_back({TensorId::O, r * d * 4});
    now.push_back({TensorId::m, r * 4});
    now.push_back({TensorId::l, r * 4});
    return now;
  };
  return plan;
}

// FlashAttention 1.0 as released: 16 query rows, in contrast to the paper.
RealTile flash_v1_tile(const Problem& p) {
  return {16, p.shape.d <= 64 ? 256 : 128, 4, "many columns, few rows", "FlashAttention 1.0, fmha_fwd_hdim*.cu"};
}

const char* why_no_flash_v1_kernel(const Problem& p) {
  if (p.shape.d > 128) return "FlashAttention-1 took head sizes up to 128.";
  const int capability = capability_of(p);
  return capability > 0 && capability < kTuring ? "FlashAttention-1 needs a Turing GPU or later." : nullptr;
}

// Algorithm 1, line 1: Bc = ceil(M / 4d), Br = min(Bc, d), with M the SRAM in fp32 elements, and Bc cut where the
// working set would not fit.
std::optional<RealTile> flash_v1_paper_tile(const Problem& p) {
  const std::int64_t m = p.machine.sram_bytes / 4, d = p.shape.d;
  RealTile tile;
  tile.bc = std::clamp<std::int64_t>((m + 4 * d - 1) / (4 * d), 1, std::max<std::int64_t>(1, p.shape.n_kv));
  tile.br = std::clamp<std::int64_t>(std::min(tile.bc, d), 1, std::max<std::int64_t>(1, p.shape.n_q));
  // K and V of bc columns, S of bc columns, Q and O, m and l of br rows.
  const std::int64_t e = p.numerics.element_bytes(), rows = tile.br * (d * (e + 4) + 8),
                     column = 2 * d * e + tile.br * 4;
  tile.note = "the paper's rule, Bc = M/4d, Br = min(Bc, d)";
  if (rows + column * tile.bc > p.machine.sram_bytes) {
    tile.bc = (p.machine.sram_bytes - rows) / column;
    tile.note += ", with Bc cut so that S fits too";
  }
  if (tile.bc < 1) return std::nullopt;
  tile.source = "arXiv 2205.14135, Algorithm 1";
  return tile;
}

constexpr SectionRow kFlashV1Sections[] = {
    {SectionName::Initialise, 7 << 10}, {SectionName::Walk, 44 << 10}, {SectionName::Output, 7 << 10}};
constexpr HbmTensor kFlashV1Tensors[] = {{TensorId::O, Width::Summed, Life::Travels},
                                         {TensorId::m, Width::Pair, Life::Travels, "m ℓ"},
                                         {TensorId::S, Width::Scores, Life::Never}};
constexpr RowState kFlashV1State[] = {{TensorId::Q, Width::Stored},
                                      {TensorId::O, Width::Summed},
                                      {TensorId::m, Width::Number},
                                      {TensorId::l, Width::Number}};

std::int64_t flash_v1_shared_bytes(const Problem& p, const DeviceModel&) {
  return flash_v1_shared(p.shape.d, p.tiling.br, p.tiling.bc, p.numerics.element_bytes());
}

}  // namespace

const ScheduleRow kFlashV1{
    .identity = {.kind = ScheduleKind::FlashV1, .id = "flash_v1", .title = "FA-1", .tab = "FA-1"},
    .family = {.before = ScheduleKind::Standard,
               .naive = ScheduleKind::Standard,
               .tiled = ScheduleKind::FlashV1,
               .forward = ScheduleKind::FlashV1},
    .walk = {.plan = flash_v1_plan,
             .replay = by_rows<make_flash_v1_replay>,
             .softmax = SoftmaxKind::PerTile,
             .block = BlockKind::Head,
             .sections = kFlashV1Sections},
    .settings = {.faults = kEveryFault},
    .formulas = {.textbook = flash_v1_textbook, .whole_run = flash_v1_whole_run},
    .memory = {.tensors = kFlashV1Tensors, .reread = kFlashV1State},
    .lanes = {.write = flash_v1_lanes},
    .chip = {.warps_share_rows = true,
             .shared_bytes = flash_v1_shared_bytes,
             .beside_shared = "S in registers",  // each warp's part of O goes through shared memory
             .exchange_cycles_alone = 1650,
             .exchange_cycles = 880,
             // For tiles and cards without a measured pace (core/chip/head_pace). The chosen shapes of
             // calls_h100_2026-11-27.csv: d 128 and 256 beside 64, one head; d 160 and 192 beside 256, N = 1,024 (their
             // columns beyond d are multiplied, but neither read, joined nor stored); causal visits beside others at d
             // = 64, N = 512 to 4,096 (0.08 to 0.15 us; none at d = 128 and 256).
             .exchange_per_column = 8,
             .skipped_per_column = 3.3,
             .mask_cycles = 175},
    .released = {.name = "fa1",
                 .title = "FA-1's kernel",
                 .own_schedule_only = true,
                 .tile = flash_v1_tile,
                 .why_not = why_no_flash_v1_kernel,
                 .paper_tile = flash_v1_paper_tile}};

}  // namespace tilewalk
