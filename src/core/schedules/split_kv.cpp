// Split-KV decoding (Flash-Decoding): the KV range of a Q tile is divided among several thread blocks (splits). Each
// walks its part as flash_v2 does and stores O / l and L in fp32; a second launch merges the splits of each Q tile. A
// split without visible columns stores O = 0 and L = +inf, which gives weight 0 in the merge. The merge streams one
// O_partial tile at a time through registers, which are not modelled.
#include "core/schedules/rows.h"
#include "core/walk/phase_costs.h"

namespace tilewalk {

namespace {

SchedulePlan split_kv_plan(const Problem& p) {
  SchedulePlan walk = flash_v2_plan(p);
  SchedulePlan plan;
  SectionPlan shares = walk.sections[0];
  shares.splits = true;
  shares.epilogue = {Phase::Normalise, Phase::StorePartial};
  SectionPlan merge{.name = SectionName::Merge,
                    .prologue = {Phase::LoadPartials, Phase::MergeMax, Phase::MergeWeights, Phase::MergeO,
                                 Phase::Normalise, Phase::Store}};
  plan.sections = {shares, merge};
  const std::int64_t d = p.shape.d, e = p.numerics.element_bytes(), n = p.tiling.splits;

  plan.cost = [d, e, n, inner = walk.cost](SectionName section, Phase phase, std::int64_t r, std::int64_t c) -> Cost {
    switch (phase) {
      case Phase::StorePartial:
        return costs::store({{TensorId::OPartial, r * d * 4}, {TensorId::LPartial, r * 4}}, r * d * 4 + r * 4);
      case Phase::LoadPartials: return costs::load({{TensorId::LPartial, r * n * 4}});
      case Phase::MergeMax: return costs::row_scan(r, n);
      case Phase::MergeWeights: return costs::work(r * n, 2 * r * n, {r * n * 4 + r * 4, r * n * 4 + r * 4});
      case Phase::MergeO: {
        Cost cost = costs::work(0, 2 * r * n * d, {r * n * 4, r * d * 4});
        cost.of(TensorId::OPartial).read_bytes = r * n * d * 4;
        return cost;
      }
      case Phase::Normalise: return costs::normalise(r, d);
      case Phase::Store: return costs::store_output(r, d, e);
      default: return section == SectionName::Walk ? inner(section, phase, r, c) : Cost{};
    }
  };

  plan.residents = [d, n, inner = walk.residents](SectionName section, Phase phase, std::int64_t r,
                                                  std::int64_t c) -> std::vector<Resident> {
    if (section == SectionName::Walk) return inner(section, phase == Phase::StorePartial ? Phase::Store : phase, r, c);
    std::vector<Resident> now = {{TensorId::LPartial, r * n * 4}};
    if (phase == Phase::MergeO || phase == Phase::Normalise || phase == Phase::Store)
      now.push_back({TensorId::O, r * d * 4});
    now.push_back({TensorId::m, r * 4});
    now.push_back({TensorId::l, r * 4});
    return now;
  };
  return plan;
}

// Br stays 64 in the decoding path; Bc depends on whether the range is really split.
RealTile split_kv_tile(const Problem& p) {
  if (p.tiling.splits > 1)
    return {64, p.shape.d <= 64 ? 256 : p.shape.d <= 128 ? 128 : 64, 4, "the decoding path", kFlashV2Source};
  return {64, p.shape.d <= 64 ? 128 : 64, 4, "the decoding path with one split", kFlashV2Source};
}

constexpr SectionRow kSplitKvSections[] = {{SectionName::Walk, 50 << 10}, {SectionName::Merge, 36 << 10}};
constexpr HbmTensor kSplitKvTensors[] = {{TensorId::OPartial, Width::Partials, Life::Passes, "O part"},
                                         {TensorId::O, Width::Stored, Life::Merged},
                                         {TensorId::S, Width::Scores, Life::Never}};

// A split ends with O and L of its own; the merge weighs and adds the splits.
const PhaseLedger& split_kv_phases() {
  using enum Quantity;
  static const PhaseLedger rows = {
      {Phase::Normalise,
       {{.quantity = O, .from = {O, L}, .formula = "O / ℓ", .letter = "O of the split"},
        {.quantity = LogSum, .from = {M, L}, .formula = "m + {log} ℓ", .letter = "L of the split"}},
       SectionName::Walk},
      {Phase::StorePartial, {{.quantity = Partials, .from = {O, LogSum}, .asked = false, .printed = false}}},
      {Phase::LoadPartials, {fresh(M), fresh(L), fresh(O)}},
      {Phase::MergeMax, {{.quantity = M, .from = {Partials}, .formula = "the largest L of the split", .letter = "M"}}},
      {Phase::MergeWeights,
       {{.quantity = Weight,
         .from = {M, Partials},
         .formula = "{b}^(L − M)",
         .note = "It is never above 1.",
         .printed = false},
        {.quantity = L,
         .from = {Weight},
         .formula = "the sum over the splits of {b}^(L of the split − M)",
         .letter = "W"}}},
      {Phase::MergeO,
       {{.quantity = O,
         .from = {Weight, Partials},
         .formula = "the sum over the splits of {b}^(L of the split − M) × O of the split",
         .letter = "merged O",
         .asked = false}}},
      {Phase::Normalise,
       {{.quantity = O, .from = {O, L}, .formula = "merged O / W", .letter = "final O", .result = true},
        {.quantity = LogSum, .from = {M, L}, .formula = "M + {log} W", .asked = false, .result = true}},
       SectionName::Merge}};
  return rows;
}

}  // namespace

const ScheduleRow kSplitKv{
    .identity = {.kind = ScheduleKind::SplitKv, .id = "split_kv", .title = "Split-KV", .tab = "Split-KV"},
    .family = {.before = ScheduleKind::FlashV2,
               .naive = ScheduleKind::Standard,
               .tiled = ScheduleKind::SplitKv,
               .forward = ScheduleKind::SplitKv},
    .walk = {.plan = split_kv_plan,
             .replay = by_rows<make_split_kv_replay>,
             .softmax = SoftmaxKind::Online,
             .own_phases = split_kv_phases,
             .block = BlockKind::Split,
             .sections = kSplitKvSections},
    .settings = {.splits = true, .faults = kEveryFault},
    .formulas = {.textbook = split_kv_textbook, .whole_run = split_kv_whole_run},
    .memory = {.tensors = kSplitKvTensors},
    .lanes = {.write = split_kv_lanes},
    .chip = {.shared_bytes = flash_v2_shared_bytes},
    .released = {.name = "split-kv",
                 .title = "the decoding kernel",
                 .own_schedule_only = true,
                 .tile = split_kv_tile,
                 .why_not = why_no_flash_v2_kernel}};

}  // namespace tilewalk
