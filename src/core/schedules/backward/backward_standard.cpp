// The standard backward pass (FA-1, arXiv 2205.14135, Algorithm 3) in five passes, each a kernel of its own: dV = P^T
// dO; dP = dO V^T, stored; dS = P o (dP - rowsum(P o dP)) row by row, stored; dQ = dS K; dK = dS^T Q. Seven transfers
// of N_q x N_kv values. P is in HBM as the standard forward pass stored it, in the problem's dtype; so is dS; dP is
// fp32, as S is. Wholly masked tiles are computed too. Passes 1 and 5 keep dV and dK of a KV tile on chip, over the
// query heads that share it; pass 4 keeps dQ of a row of tiles; dQ and dK are scaled by g when they are stored. Pass 3
// keeps one row of P and dP at a time; where they do not fit, both are read twice.
#include <algorithm>

#include "core/schedules/row_fits.h"
#include "core/schedules/rows.h"
#include "core/walk/phase_costs.h"

namespace tilewalk {

namespace {

SchedulePlan backward_standard_plan(const Problem& p) {
  const bool fits = backward_row_fits(p);
  const std::int64_t d = p.shape.d, e = p.numerics.element_bytes(), row_chunk = std::min(p.tiling.bc, p.shape.n_kv);

  SchedulePlan plan;
  plan.visits_masked_tiles = true;
  const SectionPlan grad_v{.name = SectionName::GradV,
                           .visit = {Phase::LoadPDO, Phase::GradV},
                           .epilogue = {Phase::StoreDV},
                           .kv_outside = true,
                           .shares_heads = true};
  const SectionPlan grad_p{
      .name = SectionName::GradP, .prologue = {Phase::LoadDO}, .visit = {Phase::LoadV, Phase::GradP, Phase::StoreDP}};
  SectionPlan grad_s{.name = SectionName::GradS,
                     .prologue = {Phase::LoadPDP, Phase::RowDot, Phase::GradS, Phase::StoreDS}};
  if (!fits) grad_s.prologue = {Phase::LoadPDP, Phase::RowDot, Phase::LoadPDPAgain, Phase::GradS, Phase::StoreDS};
  const SectionPlan grad_q{
      .name = SectionName::GradQ, .visit = {Phase::LoadDSK, Phase::GradQ}, .epilogue = {Phase::StoreDQ}};
  const SectionPlan grad_k{.name = SectionName::GradK,
                           .visit = {Phase::LoadDSQ, Phase::GradK},
                           .epilogue = {Phase::StoreDK},
                           .kv_outside = true,
                           .shares_heads = true};
  plan.sections = {grad_v, grad_p, grad_s, grad_q, grad_k};

  const auto store_scaled = [](TensorId id, std::int64_t values, std::int64_t bytes) {
    Cost cost = costs::store({{id, values * bytes}}, values * 4);
    cost.other = values;
    return cost;
  };
  plan.cost = [=](SectionName, Phase phase, std::int64_t r, std::int64_t c) -> Cost {
    switch (phase) {
      case Phase::LoadPDO: return costs::load({{TensorId::P, r * c * e}, {TensorId::dO, r * d * e}});
      case Phase::GradV:
      case Phase::GradK: return costs::product(r, c, d, {r * c * e + r * d * e + c * d * 4, c * d * 4});
      case Phase::StoreDV: return costs::store({{TensorId::dV, c * d * e}}, c * d * 4);
      case Phase::LoadDO: return costs::load({{TensorId::dO, r * d * e}});
      case Phase::LoadV: return costs::load({{TensorId::V, c * d * e}});
      case Phase::GradP: return costs::product(r, c, d, {(r + c) * d * e, r * c * 4});
      case Phase::StoreDP: return costs::store({{TensorId::dP, r * c * 4}}, r * c * 4);
      case Phase::LoadPDP:
      case Phase::LoadPDPAgain: return costs::load({{TensorId::P, r * c * e}, {TensorId::dP, r * c * 4}});
      case Phase::RowDot: return costs::work(0, 2 * r * c, {r * c * (e + 4), r * 4});
      case Phase::GradS: return costs::work(0, 2 * r * c, {r * c * (e + 4) + r * 4, r * c * 4});
      case Phase::StoreDS: return costs::store({{TensorId::dS, r * c * e}}, r * c * 4);
      case Phase::LoadDSK: return costs::load({{TensorId::dS, r * c * e}, {TensorId::K, c * d * e}});
      case Phase::GradQ: return costs::product(r, c, d, {r * c * e + c * d * e + r * d * 4, r * d * 4});
      case Phase::StoreDQ: return store_scaled(TensorId::dQ, r * d, e);
      case Phase::LoadDSQ: return costs::load({{TensorId::dS, r * c * e}, {TensorId::Q, r * d * e}});
      case Phase::StoreDK: return store_scaled(TensorId::dK, c * d, e);
      default: return {};
    }
  };

  plan.residents = [=](SectionName section, Phase phase, std::int64_t r, std::int64_t c) -> std::vector<Resident> {
    if (section == SectionName::GradS) {
      const std::int64_t now = fits ? c : row_chunk;
      const bool made = phase == Phase::GradS || phase == Phase::StoreDS;
      return {{TensorId::P, now * e}, {made ? TensorId::dS : TensorId::dP, now * 4}, {TensorId::D, 4}};
    }
    std::vector<Resident> now;
    if (section == SectionName::GradV) {
      if (phase != Phase::StoreDV) now = {{TensorId::P, r * c * e}, {TensorId::dO, r * d * e}};
      now.push_back({TensorId::dV, c * d * 4});
    } else if (section == SectionName::GradP) {
      now = {{TensorId::dO, r * d * e}};
      if (phase != Phase::LoadDO) now.push_back({TensorId::V, c * d * e});
      if (phase == Phase::GradP || phase == Phase::StoreDP) now.push_back({TensorId::dP, r * c * 4});
    } else if (section == SectionName::GradQ) {
      if (phase != Phase::StoreDQ) now = {{TensorId::dS, r * c * e}, {TensorId::K, c * d * e}};
      now.push_back({TensorId::dQ, r * d * 4});
    } else {
      if (phase != Phase::StoreDK) now = {{TensorId::dS, r * c * e}, {TensorId::Q, r * d * e}};
      now.push_back({TensorId::dK, c * d * 4});
    }
    return now;
  };
  return plan;
}

constexpr SectionRow kBackwardStandardSections[] = {{SectionName::GradV, 15 << 10},
                                                    {SectionName::GradP, 15 << 10},
                                                    {SectionName::GradS, 6 << 10},
                                                    {SectionName::GradQ, 15 << 10},
                                                    {SectionName::GradK, 15 << 10}};
constexpr HbmTensor kBackwardStandardTensors[] = {
    {TensorId::dO, Width::Stored, Life::Given},  {TensorId::P, Width::Weights, Life::Given},
    {TensorId::dP, Width::Scores, Life::Passes}, {TensorId::dS, Width::Weights, Life::Passes},
    {TensorId::dQ, Width::Stored, Life::Passes}, {TensorId::dK, Width::Stored, Life::Passes},
    {TensorId::dV, Width::Stored, Life::Passes}};

}  // namespace

const ScheduleRow kBackwardStandard{
    .identity = {.kind = ScheduleKind::BackwardStandard,
                 .id = "backward_standard",
                 .title = "Naive backward",
                 .tab = "Naive"},
    .family = {.backward = true,
               .before = ScheduleKind::BackwardV1,
               .naive = ScheduleKind::BackwardStandard,
               .tiled = ScheduleKind::Backward,
               .forward = ScheduleKind::Standard},
    .walk = {.plan = backward_standard_plan,
             .replay = make_backward_replay,
             .softmax = SoftmaxKind::Stored,
             .block = BlockKind::QTile,
             .sections = kBackwardStandardSections},
    .formulas = {.textbook = backward_standard_textbook, .whole_run = backward_standard_whole_run},
    .memory = {.scores_in_hbm = true, .tensors = kBackwardStandardTensors},
    .chip = {.products_by = ProductBy::Warpgroup, .softmax_beside_products = true}};  // as a vendor's library would

}  // namespace tilewalk
