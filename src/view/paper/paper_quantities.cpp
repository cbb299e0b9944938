#include "view/paper/paper_quantities.h"

#include <fmt/format.h>

#include "core/schedules/registry.h"
#include "view/scores/tile_values.h"
#include "view/words/units.h"

namespace tilewalk {
namespace {

using Quantities = std::vector<PaperQuantity>;

PaperQuantity scores(const Schedule& schedule) {  // the formula before any mask
  return {"S", PaperShape::Scores, &State::s, formula_of(schedule, State{}, Quantity::S), true};
}
PaperQuantity cells(const Schedule& schedule, const State& state, Quantity quantity,
                    std::vector<float> State::*values) {
  return {ledger_row(quantity).letter, PaperShape::Scores, values, formula_of(schedule, state, quantity)};
}

PaperQuantity running_max(const Problem& p) {
  std::string formula = "m = the larger of m before and tile max; m is −∞ before the first visit";
  if (row_of(p).settings.rescale_threshold && p.tiling.rescale_threshold > 0)
    formula += fmt::format("; m before stays if the tile max is above it by {} log2 units at most",
                           compact_number(p.tiling.rescale_threshold));
  return {"m", PaperShape::Row, &State::m, formula, true};
}

std::string alpha_formula(const char* base) { return fmt::format("α = {}^(m before − m)", base); }

Quantities of_rescale(const Problem& p, const char* base) {
  if (row_of(p).walk.softmax != SoftmaxKind::PerTile)
    return {{"α", PaperShape::Row, &State::alpha, alpha_formula(base)}};
  return {running_max(p),
          {"α", PaperShape::Row, &State::alpha, alpha_formula(base)},
          {"β", PaperShape::Row, &State::beta, fmt::format("β = {}^(tile max − m)", base)},
          {"ℓ", PaperShape::Row, &State::l, "ℓ = α × ℓ before + β × tile ℓ; ℓ is 0 before the first visit"}};
}

Quantities of_row_max(const Problem& p) {
  const SoftmaxKind softmax = row_of(p).walk.softmax;
  if (softmax == SoftmaxKind::WholeRows)
    return {{"m", PaperShape::Row, &State::m, "m = the largest S of the whole row", true}};
  Quantities made = {
      {"tile max", PaperShape::Row, &State::tile_max, "tile max = the row's largest S in this tile", true}};
  if (softmax == SoftmaxKind::Online) made.push_back(running_max(p));
  return made;
}

Quantities of_row_sum(const Problem& p) {
  switch (row_of(p).walk.softmax) {
    case SoftmaxKind::PerTile:
      return {{"tile ℓ", PaperShape::Row, &State::tile_l, "tile ℓ = the sum of the row of P in this tile"}};
    case SoftmaxKind::WholeRows: return {{"ℓ", PaperShape::Row, &State::l, "ℓ = the sum of the whole row of E"}};
    default:
      return {{"ℓ", PaperShape::Row, &State::l,
               "ℓ = α × ℓ before + the sum of the row of P; ℓ is 0 before the first visit"}};
  }
}

Quantities of_accumulate(const Problem& p) {
  switch (row_of(p).walk.softmax) {
    case SoftmaxKind::PerTile:
      return {{"P V", PaperShape::Rows, &State::pv, "P V = the product of P and the tile of V"}};
    case SoftmaxKind::WholeRows:
      return {{"O", PaperShape::Rows, &State::o, "O = O before + P V; O is 0 before the first visit"}};
    default: return {{"O", PaperShape::Rows, &State::o, "O = α × O before + P V; O is 0 before the first visit"}};
  }
}

Quantities of_normalise(const Schedule& schedule, const Step& step) {
  const Problem& p = schedule.problem();
  const char* log = p.numerics.base == Base::Two ? "log₂" : "ln";
  if (row_of(p).walk.softmax == SoftmaxKind::PerTile)
    return {{"O", PaperShape::Rows, &State::o,
             "O = (α × ℓ before × O before + β × P V) / ℓ; O is 0 before the first visit"}};
  const bool merge = step.section_name == SectionName::Merge;
  const char *sum = merge ? "W" : "ℓ", *max = merge ? "M" : "m";
  const bool share = schedule.section(step.section).splits;
  const std::string o = share ? "O of the split" : "final O", l = share ? "L of the split" : "L";
  return {{o, PaperShape::Rows, &State::o, fmt::format("{} = {} / {}", o, merge ? "merged O" : "O", sum)},
          {l, PaperShape::Row, &State::lse, fmt::format("{} = {} + {} {}", l, max, log, sum), true}};
}

PaperQuantity final_dq(const Problem& p) {
  return {"final dQ", PaperShape::Rows, &State::dq,
          fmt::format("final dQ = dQ × {}, the scale of S{}", signed_number(double(p.gradient_factor()), 4),
                      p.numerics.base == Base::Two ? " times ln 2" : "")};
}

bool keeps_exponentials(const Problem& p) {  // before they are divided
  const SoftmaxKind softmax = row_of(p).walk.softmax;
  return softmax == SoftmaxKind::WholeRows || softmax == SoftmaxKind::FromMaxSum;
}

}  // namespace

Quantities made_by(const Schedule& schedule, const State& state) {
  const Problem& p = schedule.problem();
  const Step& step = state.step;
  const char* base = p.numerics.base == Base::Two ? "2" : "e";
  const bool stored = row_of(p).walk.softmax == SoftmaxKind::Stored;
  switch (step.phase) {
    case Phase::Scores:
    case Phase::Mask: return {scores(schedule)};
    case Phase::RowMax: return of_row_max(p);
    case Phase::Rescale: return of_rescale(p, base);
    case Phase::Exponentiate:
      if (keeps_exponentials(p)) return {{"E", PaperShape::Scores, &State::p, fmt::format("E = {}^(S − m)", base)}};
      return {cells(schedule, state, Quantity::P, &State::p)};
    case Phase::RowSum: return of_row_sum(p);
    case Phase::Divide: return {{"P", PaperShape::Scores, &State::p, "P = E / ℓ"}};
    case Phase::Accumulate: return of_accumulate(p);
    case Phase::Normalise: return of_normalise(schedule, step);
    case Phase::MergeMax: return {{"M", PaperShape::Row, &State::m, "M = the largest L of the split", true}};
    case Phase::MergeWeights:
      return {{"W", PaperShape::Row, &State::l,
               fmt::format("W = the sum over the splits of {}^(L of the split − M)", base)}};
    case Phase::MergeO:
      return {{"merged O", PaperShape::Rows, &State::o,
               fmt::format("merged O = the sum over the splits of {}^(L of the split − M) × O of the split", base)}};
    case Phase::RowDot:
      return {{"D", PaperShape::Row, &State::D,
               stored ? "D = the sum of the row of P × dP" : "D = the sum of the row of dO × O"}};
    case Phase::GradV: return {{"dV", PaperShape::Columns, &State::dv, "dV = dV before + Pᵀ dO; dV is 0 at the start"}};
    case Phase::GradP: return {cells(schedule, state, Quantity::DP, &State::dp)};
    case Phase::GradS: return {cells(schedule, state, Quantity::DS, &State::ds)};
    case Phase::GradQ: return {{"dQ", PaperShape::Rows, &State::dq, "dQ = dQ before + dS K; dQ is 0 at the start"}};
    case Phase::GradK: return {{"dK", PaperShape::Columns, &State::dk, "dK = dK before + dSᵀ Q; dK is 0 at the start"}};
    case Phase::ScaleDQ: return {final_dq(p)};
    case Phase::StoreDQ:
      if (!stored || step.in_visit()) return {};
      return {final_dq(p)};
    default: return {};
  }
}

Quantities given_to(const Schedule& schedule, const Step& step) {
  const bool from_sums = row_of(schedule.problem()).walk.softmax == SoftmaxKind::FromMaxSum;
  const PaperQuantity o{"O", PaperShape::Rows, &State::o, ""}, p{"P", PaperShape::Scores, &State::p, ""};
  switch (step.phase) {
    case Phase::LoadOutputs: return {o};
    case Phase::LoadRows:
      if (from_sums) return {o, {"m", PaperShape::Row, &State::m, "", true}, {"ℓ", PaperShape::Row, &State::l, ""}};
      return {{"L", PaperShape::Row, &State::lse, "", true}};
    case Phase::LoadPDO: return {p};
    default: return {};
  }
}

}  // namespace tilewalk
