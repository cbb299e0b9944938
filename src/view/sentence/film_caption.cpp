#include "view/sentence/film_caption.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "core/problem/format_value.h"
#include "view/sentence/named_cell.h"
#include "view/sentence/sentence_parts.h"

namespace tilewalk {
namespace {

// The named row's entry of a number a row; empty where there is none.
std::optional<float> of_row(const std::vector<float>& values, const Step& step, std::int64_t row) {
  const std::int64_t at = row - step.row_begin;
  if (at < 0 || at >= std::ssize(values)) return std::nullopt;
  return values[std::size_t(at)];
}

std::string row_max(const Problem& p, const State& state, std::int64_t row) {
  const std::optional<float> old = of_row(state.m_old, state.step, row), now = of_row(state.m, state.step, row);
  if (!old || !now || !std::isfinite(*old) || !std::isfinite(*now)) return "m: the best S";
  return fmt::format("m {} → {}", number_in_text(p, display_score(p, *old)), number_in_text(p, display_score(p, *now)));
}

std::string rescale(const Problem& p, const State& state, std::int64_t row) {
  const std::optional<float> alpha = of_row(state.alpha, state.step, row);
  return alpha && *alpha > 0 && *alpha < 1 ? "O shrinks × " + weight_text(p, *alpha) : "O stays";
}

std::string mask(const State& state) {
  const auto masked = std::count_if(state.s.begin(), state.s.end(), [](float score) { return std::isinf(score); });
  return masked == 0 ? "None masked" : fmt::format("{} of {} masked", masked, state.s.size());
}

}  // namespace

std::string film_caption(const Schedule& schedule, const State& state, bool whole_visits) {
  const Problem& p = schedule.problem();
  const Step& step = state.step;
  const std::int64_t row = named_cell(p, state).row;
  if (whole_visits && step.in_visit()) return fmt::format("Q{} meets K", step.q_tile);
  switch (step.phase) {
    case Phase::LoadQ: return fmt::format("Q{} → SRAM", step.q_tile);
    case Phase::LoadKV: return fmt::format("K{0}, V{0} → SRAM", step.kv_tile);
    case Phase::Scores: return fmt::format("Scores Q{} · K{}", step.q_tile, step.kv_tile);
    case Phase::Mask: return mask(state);
    case Phase::RowMax: return row_max(p, state, row);
    case Phase::Rescale: return rescale(p, state, row);
    case Phase::Exponentiate: return "Scores → P";
    case Phase::RowSum: return "ℓ adds P";
    case Phase::Accumulate: return fmt::format("O adds P · V{}", step.kv_tile);
    case Phase::Normalise: return "O ÷ ℓ";
    case Phase::Store: return fmt::format("O{} → HBM", step.q_tile);
    default: return name_of(step.phase);
  }
}

}  // namespace tilewalk
