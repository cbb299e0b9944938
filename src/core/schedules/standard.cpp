// Standard attention in three passes (FA-1, arXiv 2205.14135, Algorithm 0), each a kernel of its own: S = Q K^T written
// to HBM; softmax row by row, P written to HBM; O = P V. Wholly masked tiles are computed too, as frameworks do. Pass 1
// keeps Q on chip and pass 3 keeps O, for a row of tiles; K or V and the S or P tile are loaded or stored at every
// visit. Pass 2 keeps one row of S at a time; where a row does not fit, S is read twice, e is stored undivided in fp32
// with its sums l, and pass 3 divides. Numerics::narrow_scores: S has the problem's dtype in HBM, and fp32 on chip.
#include <algorithm>

#include "core/schedules/row_fits.h"
#include "core/schedules/rows.h"
#include "core/walk/phase_costs.h"

namespace tilewalk {

namespace {

SchedulePlan standard_plan(const Problem& p) {
  const bool fits = standard_row_fits(p);
  const std::int64_t d = p.shape.d, e = p.numerics.element_bytes(), row_chunk = std::min(p.tiling.bc, p.shape.n_kv);
  const std::int64_t s_bytes = p.numerics.score_bytes(), p_bytes = fits ? e : 4;

  SchedulePlan plan;
  plan.visits_masked_tiles = true;
  SectionPlan scores{.name = SectionName::Scores,
                     .prologue = {Phase::LoadQ},
                     .visit = {Phase::LoadK, Phase::Scores, Phase::Mask, Phase::StoreS}};
  SectionPlan softmax{
      .name = SectionName::Softmax,
      .prologue = {Phase::LoadS, Phase::RowMax, Phase::Exponentiate, Phase::RowSum, Phase::Divide, Phase::StoreP}};
  SectionPlan product{
      .name = SectionName::Output, .visit = {Phase::LoadPV, Phase::Accumulate}, .epilogue = {Phase::Store}};
  if (!fits) {
    softmax.prologue = {Phase::LoadS,        Phase::RowMax, Phase::LoadSAgain,
                        Phase::Exponentiate, Phase::RowSum, Phase::StoreP};
    product.prologue = {Phase::LoadL};
    product.visit = {Phase::LoadPV, Phase::Divide, Phase::Accumulate};
  }
  plan.sections = {scores, softmax, product};

  plan.cost = [=](SectionName, Phase phase, std::int64_t r, std::int64_t c) -> Cost {
    switch (phase) {
      case Phase::LoadQ: return costs::load({{TensorId::Q, r * d * e}});
      case Phase::LoadK: return costs::load({{TensorId::K, c * d * e}});
      case Phase::Scores: return costs::scores(r, c, d, e);
      case Phase::StoreS: return costs::store({{TensorId::S, r * c * s_bytes}}, r * c * 4);
      case Phase::LoadS:
      case Phase::LoadSAgain: return costs::load({{TensorId::S, r * c * s_bytes}}, r * c * (4 - s_bytes));
      case Phase::RowMax:
      case Phase::RowSum: return costs::row_scan(r, c);
      case Phase::Exponentiate: return costs::exponentiate(r, c);
      case Phase::Divide: return costs::divide(r, c);
      case Phase::StoreP:
        if (fits) return costs::store({{TensorId::P, r * c * p_bytes}}, r * c * 4);
        return costs::store({{TensorId::P, r * c * p_bytes}, {TensorId::l, r * 4}}, r * c * 4 + r * 4);
      case Phase::LoadL: return costs::load({{TensorId::l, r * 4}});
      case Phase::LoadPV: return costs::load({{TensorId::P, r * c * p_bytes}, {TensorId::V, c * d * e}});
      case Phase::Accumulate: return costs::product(r, c, d, {r * c * p_bytes + c * d * e + r * d * 4, r * d * 4});
      case Phase::Store: return costs::store({{TensorId::O, r * d * e}}, r * d * 4);
      default: return {};
    }
  };

  plan.residents = [=](SectionName section, Phase phase, std::int64_t r, std::int64_t c) -> std::vector<Resident> {
    if (section == SectionName::Scores) {
      std::vector<Resident> now = {{TensorId::Q, r * d * e}};
      if (phase != Phase::LoadQ) now.push_back({TensorId::K, c * d * e});
      if (phase != Phase::LoadQ && phase != Phase::LoadK) now.push_back({TensorId::S, r * c * 4});
      return now;
    }
    if (section == SectionName::Softmax) {
      const bool is_p =
          phase == Phase::Exponentiate || phase == Phase::RowSum || phase == Phase::Divide || phase == Phase::StoreP;
      return {{is_p ? TensorId::P : TensorId::S, (fits ? c : row_chunk) * 4}, {TensorId::m, 4}, {TensorId::l, 4}};
    }
    std::vector<Resident> now;
    if (phase != Phase::LoadL && phase != Phase::Store)
      now = {{TensorId::V, c * d * e}, {TensorId::P, r * c * p_bytes}};
    now.push_back({TensorId::O, r * d * 4});
    if (!fits) now.push_back({TensorId::l, r * 4});
    return now;
  };
  return plan;
}

constexpr SectionRow kStandardSections[] = {
    {SectionName::Scores, 16 << 10}, {SectionName::Softmax, 16 << 10}, {SectionName::Output, 16 << 10}};
constexpr Fault kStandardFaults[] = {Fault::NoMax, Fault::MaskOffByOne,
                                     Fault::RaggedRead};  // it never rescales or skips
constexpr HbmTensor kStandardTensors[] = {{TensorId::S, Width::Scores, Life::Passes},
                                          {TensorId::P, Width::Weights, Life::Passes},
                                          {TensorId::O, Width::Stored, Life::Passes}};

}  // namespace

const ScheduleRow kStandard{
    .identity = {.kind = ScheduleKind::Standard, .id = "standard", .title = "Naive", .tab = "Naive"},
    .family = {.before = ScheduleKind::FlashV1,
               .naive = ScheduleKind::Standard,
               .tiled = ScheduleKind::FlashV2,
               .forward = ScheduleKind::Standard},
    .walk = {.plan = standard_plan,
             .replay = by_rows<make_standard_replay>,
             .softmax = SoftmaxKind::WholeRows,
             .block = BlockKind::QTile,
             .sections = kStandardSections},
    .settings = {.narrow_scores = true, .faults = kStandardFaults},
    .formulas = {.textbook = standard_textbook, .whole_run = standard_whole_run},
    .memory = {.scores_in_hbm = true, .tensors = kStandardTensors},
    .chip = {.products_by = ProductBy::Warpgroup, .softmax_beside_products = true}};  // as a vendor's library would

}  // namespace tilewalk
