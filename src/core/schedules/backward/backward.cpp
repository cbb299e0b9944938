// The backward pass of FlashAttention: P is recomputed from Q, K and the forward pass's results, never stored. KV tiles
// outside, Q tiles inside. dK and dV of a KV tile stay on chip and sum over the query heads that share the KV head. dQ
// is read from HBM and written back, in fp32, at each visit. A last launch scales dQ by g and rounds it.
//
// backward (FA-2, arXiv 2307.08691, Algorithm 2): launch 1 computes D = rowsum(dO o O) and writes it beside dQ = 0; a
// visit reads L and D.
// backward_v1 (FA-1, arXiv 2205.14135, Algorithm 4): launch 1 writes dQ = 0; a visit reads O, m and l, and recomputes P
// from them, and D. The paper scales dQ at each visit; here the last launch does so, for both.
// A KV tile that no row sees is loaded, and its zero gradients are stored. Order reverse inverts the order of KV tiles.
#include "core/schedules/rows.h"
#include "core/walk/phase_costs.h"

namespace tilewalk {
namespace {

std::vector<Resident> backward_residents(const Problem& p, bool v1, SectionName section, Phase phase, std::int64_t r,
                                         std::int64_t c) {
  const std::int64_t d = p.shape.d, e = p.numerics.element_bytes();
  if (section == SectionName::Scale) return {{TensorId::dQ, r * d * 4}};
  if (section == SectionName::Initialise) return {{TensorId::dQ, 0}};  // zeros, straight from registers
  if (section == SectionName::Dots) return {{TensorId::O, r * d * e}, {TensorId::dO, r * d * e}, {TensorId::D, r * 4}};
  std::vector<Resident> now = {
      {TensorId::K, c * d * e}, {TensorId::V, c * d * e}, {TensorId::dK, c * d * 4}, {TensorId::dV, c * d * 4}};
  if (phase == Phase::LoadKV || phase == Phase::StoreDKV) return now;
  now.push_back({TensorId::Q, r * d * e});
  if (v1) now.push_back({TensorId::O, r * d * e});
  now.push_back({TensorId::dO, r * d * e});
  now.push_back({TensorId::dQ, r * d * 4});
  if (v1) {
    now.push_back({TensorId::m, r * 4});
    now.push_back({TensorId::l, r * 4});
  } else
    now.push_back({TensorId::L, r * 4});
  now.push_back({TensorId::D, r * 4});
  if (phase == Phase::LoadRows) return now;
  now.push_back({phase == Phase::Scores || phase == Phase::Mask ? TensorId::S : TensorId::P, r * c * 4});
  if (phase == Phase::GradP || phase == Phase::RowDot) now.push_back({TensorId::dP, r * c * 4});
  if (phase == Phase::GradS || phase == Phase::GradQ || phase == Phase::StoreDQ || phase == Phase::GradK)
    now.push_back({TensorId::dS, r * c * 4});
  return now;
}

SchedulePlan backward_plan_of(const Problem& p, bool v1) {
  SchedulePlan plan;
  SectionPlan start{.name = SectionName::Dots, .prologue = {Phase::LoadOutputs, Phase::RowDot, Phase::StoreD}};
  SectionPlan walk{.name = SectionName::Walk,
                   .prologue = {Phase::LoadKV},
                   .visit = {Phase::LoadRows, Phase::Scores, Phase::Mask, Phase::Exponentiate, Phase::GradV,
                             Phase::GradP, Phase::GradS, Phase::GradQ, Phase::StoreDQ, Phase::GradK},
                   .epilogue = {Phase::StoreDKV},
                   .kv_outside = true,
                   .shares_heads = true};
  if (v1) {
    start = {.name = SectionName::Initialise, .prologue = {Phase::Initialise}};
    walk.visit = {Phase::LoadRows, Phase::Scores, Phase::Mask,  Phase::Exponentiate, Phase::Divide,  Phase::GradV,
                  Phase::GradP,    Phase::RowDot, Phase::GradS, Phase::GradQ,        Phase::StoreDQ, Phase::GradK};
  }
  const SectionPlan scale{.name = SectionName::Scale, .prologue = {Phase::LoadDQ, Phase::ScaleDQ, Phase::StoreDQ}};
  plan.sections = {start, walk, scale};
  const std::int64_t d = p.shape.d, e = p.numerics.element_bytes();

  plan.cost = [d, e, v1](SectionName section, Phase phase, std::int64_t r, std::int64_t c) -> Cost {
    switch (phase) {
      case Phase::Initialise: return costs::store({{TensorId::dQ, r * d * 4}}, 0);
      case Phase::LoadOutputs: return costs::load({{TensorId::O, r * d * e}, {TensorId::dO, r * d * e}});
      case Phase::RowDot: return costs::work(0, 2 * r * d, {2 * r * d * e, r * 4});
      case Phase::StoreD: return costs::store({{TensorId::D, r * 4}, {TensorId::dQ, r * d * 4}}, r * 4);
      case Phase::LoadKV: return costs::load({{TensorId::K, c * d * e}, {TensorId::V, c * d * e}}, 2 * c * d * 4);
      case Phase::LoadRows: {
        Cost cost = costs::load({{TensorId::Q, r * d * e}, {TensorId::dO, r * d * e}, {TensorId::dQ, r * d * 4}});
        return cost += v1 ? costs::load({{TensorId::O, r * d * e}, {TensorId::m, r * 4}, {TensorId::l, r * 4}})
                          : costs::load({{TensorId::L, r * 4}, {TensorId::D, r * 4}});
      }
      case Phase::Scores: return costs::scores(r, c, d, e);
      case Phase::Exponentiate: return costs::exponentiate(r, c);
      case Phase::Divide: return costs::divide(r, c);
      case Phase::GradP: return costs::product(r, c, d, {(r + c) * d * e, r * c * 4});
      case Phase::GradS: return costs::work(0, 2 * r * c, {2 * r * c * 4 + r * 4, r * c * 4});
      case Phase::GradV:
      case Phase::GradK: return costs::product(r, c, d, {r * c * 4 + r * d * e + c * d * 4, c * d * 4});
      case Phase::GradQ: return costs::product(r, c, d, {r * c * 4 + c * d * e + r * d * 4, r * d * 4});
      case Phase::StoreDQ:
        return costs::store({{TensorId::dQ, r * d * (section == SectionName::Scale ? e : 4)}}, r * d * 4);
      case Phase::StoreDKV: {
        Cost cost = costs::store({{TensorId::dK, c * d * e}, {TensorId::dV, c * d * e}}, 2 * c * d * 4);
        cost.other = c * d;
        return cost;
      }
      case Phase::LoadDQ: return costs::load({{TensorId::dQ, r * d * 4}});
      case Phase::ScaleDQ: return costs::work(0, r * d, {r * d * 4, r * d * 4});
      default: return {};  // Mask: applied as scores are written
    }
  };

  plan.residents = [p, v1](SectionName section, Phase phase, std::int64_t r, std::int64_t c) {
    return backward_residents(p, v1, section, phase, r, c);
  };
  return plan;
}

SchedulePlan backward_plan(const Problem& p) { return backward_plan_of(p, false); }
SchedulePlan backward_v1_plan(const Problem& p) { return backward_plan_of(p, true); }

constexpr Fault kBackwardFaults[] = {Fault::MaskOffByOne,
                                     Fault::SkipDiagonal};  // the results of the forward pass have no fault

constexpr SectionRow kBackwardSections[] = {
    {SectionName::Dots, 12 << 10}, {SectionName::Walk, 36 << 10}, {SectionName::Scale, 6 << 10}};
constexpr HbmTensor kBackwardTensors[] = {
    {TensorId::O, Width::Stored, Life::Given},    {TensorId::dO, Width::Stored, Life::Given},
    {TensorId::L, Width::Number, Life::Given},    {TensorId::D, Width::Number, Life::Passes},
    {TensorId::dQ, Width::Summed, Life::Travels}, {TensorId::dK, Width::Stored, Life::Once},
    {TensorId::dV, Width::Stored, Life::Once},    {TensorId::P, Width::Weights, Life::Never}};
constexpr RowState kBackwardState[] = {{TensorId::Q, Width::Stored},
                                       {TensorId::dO, Width::Stored},
                                       {TensorId::dQ, Width::Summed},
                                       {TensorId::L, Width::Number},
                                       {TensorId::D, Width::Number}};

constexpr SectionRow kBackwardV1Sections[] = {
    {SectionName::Initialise, 6 << 10}, {SectionName::Walk, 42 << 10}, {SectionName::Scale, 6 << 10}};
constexpr HbmTensor kBackwardV1Tensors[] = {
    {TensorId::O, Width::Stored, Life::Given},      {TensorId::dO, Width::Stored, Life::Given},
    {TensorId::m, Width::Pair, Life::Given, "m ℓ"}, {TensorId::dQ, Width::Summed, Life::Travels},
    {TensorId::dK, Width::Stored, Life::Once},      {TensorId::dV, Width::Stored, Life::Once},
    {TensorId::P, Width::Weights, Life::Never}};
constexpr RowState kBackwardV1State[] = {{TensorId::Q, Width::Stored},  {TensorId::O, Width::Stored},
                                         {TensorId::dO, Width::Stored}, {TensorId::dQ, Width::Summed},
                                         {TensorId::m, Width::Number},  {TensorId::l, Width::Number}};

}  // namespace

const ScheduleRow kBackward{
    .identity = {.kind = ScheduleKind::Backward, .id = "backward", .title = "FA-2 backward", .tab = "FA-2"},
    .family = {.backward = true,
               .before = ScheduleKind::BackwardV1,
               .naive = ScheduleKind::BackwardStandard,
               .tiled = ScheduleKind::Backward,
               .forward = ScheduleKind::FlashV2},
    .walk = {.plan = backward_plan,
             .replay = make_backward_replay,
             .softmax = SoftmaxKind::FromL,
             .block = BlockKind::QTile,
             .sections = kBackwardSections},
    .settings = {.faults = kBackwardFaults},
    .formulas = {.textbook = backward_textbook, .whole_run = backward_whole_run},
    .memory = {.tensors = kBackwardTensors, .reread = kBackwardState}};

const ScheduleRow kBackwardV1{
    .identity = {.kind = ScheduleKind::BackwardV1, .id = "backward_v1", .title = "FA-1 backward", .tab = "FA-1"},
    .family = {.backward = true,
               .before = ScheduleKind::BackwardStandard,
               .naive = ScheduleKind::BackwardStandard,
               .tiled = ScheduleKind::BackwardV1,
               .forward = ScheduleKind::FlashV1},
    .walk = {.plan = backward_v1_plan,
             .replay = make_backward_replay,
             .softmax = SoftmaxKind::FromMaxSum,
             .block = BlockKind::QTile,
             .sections = kBackwardV1Sections},
    .settings = {.faults = kBackwardFaults},
    .formulas = {.textbook = backward_v1_textbook, .whole_run = backward_v1_whole_run},
    .memory = {.tensors = kBackwardV1Tensors, .reread = kBackwardV1State}};

}  // namespace tilewalk
