#include <fmt/format.h>

#include <algorithm>

#include "base/units.h"
#include "core/problem/fault_effects.h"
#include "core/schedules/registry.h"
#include "view/sentence/named_cell.h"
#include "view/sentence/sentence_parts.h"
#include "view/words/units.h"

namespace tilewalk {
namespace {

struct MistakeSentence {
  const Schedule& schedule;
  const State& state;
  const Problem& problem = schedule.problem();
  const Step& step = state.step;
  const std::int64_t spoken = spoken_row(problem, state);
  const bool per_tile = makes(row_of(problem), Quantity::Beta);

  bool has(const std::vector<float>& values) const { return spoken >= 0 && std::size_t(spoken) < values.size(); }
  float of(const std::vector<float>& values) const { return values[std::size_t(spoken)]; }
  std::int64_t row() const { return step.row_begin + spoken; }
  std::string score(float value) const { return number_in_text(problem, display_score(problem, value)); }

  // " Row 9 of O still starts with 0.91, not yet divided by ℓ."
  std::string still(const char* letter, const std::vector<float>& values, std::int64_t begin, std::int64_t r,
                    const char* after = "") const {
    const std::size_t at = std::size_t(std::max<std::int64_t>(0, r) * problem.shape.d);
    if (r < 0 || at >= values.size()) return "";
    return fmt::format(" Row {} of {} still starts with {}{}.", begin + r, letter, number_in_text(problem, values[at]),
                       after);
  }
  std::string still_o() const {
    return still("O", state.o, step.row_begin, spoken, per_tile ? "" : ", not yet divided by ℓ");
  }

  std::string skip_diagonal() const {
    if (!step.in_visit() || !leaves_out(problem, step.q_tile, step.kv_tile)) return "";
    const std::string skipped = "Skipped by mistake: ";
    const auto not_added = [&](const char* letter, std::int64_t tile) {
      return skipped + fmt::format("nothing is added to {} tile {}.", letter, tile);
    };
    const auto not_computed = [&](const char* letter) {
      return skipped + fmt::format("no {} of this tile is computed.", letter);
    };
    switch (step.phase) {
      case Phase::RowMax:
        return skipped + "this tile's scores change no max." +
               (has(state.m) ? fmt::format(" Row {}: m stays {}.", row(), score(of(state.m))) : "");
      case Phase::Rescale: return skipped + fmt::format("O tile {} is not rescaled.", step.q_tile) + still_o();
      case Phase::Exponentiate:
      case Phase::Divide: return not_computed("P");
      case Phase::RowSum:
        return skipped + "nothing is added to ℓ." +
               (has(state.l) ? fmt::format(" Row {}: ℓ stays {}.", row(), number_in_text(problem, of(state.l))) : "");
      case Phase::Accumulate:
      case Phase::Normalise: return not_added("O", step.q_tile) + still_o();
      case Phase::GradP: return not_computed("dP");
      case Phase::GradS: return not_computed("dS");
      case Phase::GradV: return not_added("dV", step.kv_tile) + still("dV", state.dv, step.col_begin, 0);
      case Phase::GradQ: return not_added("dQ", step.q_tile) + still("dQ", state.dq, step.row_begin, spoken);
      case Phase::GradK: return not_added("dK", step.kv_tile) + still("dK", state.dk, step.col_begin, 0);
      default: return "";
    }
  }

  // m follows a lower max. FA-1's own sentences are of the tile's max and stay true.
  std::string tile_max() const {
    if (per_tile || !has(state.m) || !has(state.m_old) || !(of(state.m) < of(state.m_old))) return "";
    const std::string old = score(of(state.m_old)), now = score(of(state.m));
    if (step.phase == Phase::RowMax)
      return fmt::format("Row {}: this tile's best score {} is below the running max {}. By mistake m falls to {}.",
                         row(), now, old, now);
    if (step.phase == Phase::Rescale && has(state.alpha))
      return fmt::format("Row {}: by mistake m fell from {} to {}, so O, and then ℓ, are multiplied by α = {}.", row(),
                         old, now, weight_text(problem, of(state.alpha)));
    return "";
  }

  std::string no_max() const {
    if (step.phase == Phase::RowMax && spoken >= 0)
      return fmt::format("Row {}: by mistake {} is 0, whatever the scores are.", row(),
                         per_tile ? "this tile's own max" : "m");
    if (step.phase == Phase::Rescale && !per_tile && has(state.alpha) && of(state.alpha) == 1)
      return fmt::format("Row {}: by mistake m is 0 at every tile, so α = 1 and O stays as it is.", row());
    if (step.phase == Phase::Exponentiate) {
      const std::string text =
          fmt::format("Each score becomes {}. By mistake the max is 0, so an exponential may pass 1, or overflow.",
                      right_side_text(problem, step, Quantity::P));
      const std::int64_t col = named_cell(problem, state).col;
      const std::size_t at = std::size_t(spoken * step.cols() + col - step.col_begin);
      if (spoken < 0 || col < step.col_begin || at >= state.p.size()) return text;
      return text + fmt::format(" Row {}, column {}: {}.", row(), col, weight_text(problem, state.p[at]));
    }
    return "";
  }

  std::int64_t masked(const Band& band) const {
    std::int64_t hidden = 0;
    for (std::int64_t i = step.row_begin; i < step.row_end; ++i)
      for (std::int64_t j = step.col_begin; j < step.col_end; ++j) hidden += !band.allows(i, j);
    return hidden;
  }
  std::string mask_off_by_one() const {
    if (step.phase != Phase::Mask) return "";
    const std::int64_t is = masked(masked_band(problem)), should = masked(problem.shape.band());
    if (is == should) return "";
    return fmt::format("{} of the {} scores become −∞. By mistake the mask lets {} more in: it should hide {}.",
                       format_count(is), format_count(step.rows() * step.cols()), format_count(should - is),
                       format_count(should));
  }
};

struct MistakeRow {
  Fault fault;
  std::string (MistakeSentence::*text)() const;
};
constexpr MistakeRow kMistakes[] = {{Fault::SkipDiagonal, &MistakeSentence::skip_diagonal},
                                    {Fault::TileMax, &MistakeSentence::tile_max},
                                    {Fault::NoMax, &MistakeSentence::no_max},
                                    {Fault::MaskOffByOne, &MistakeSentence::mask_off_by_one}};

}  // namespace

std::string mistake_sentence(const Schedule& schedule, const State& state) {
  for (const MistakeRow& row : kMistakes)
    if (row.fault == schedule.problem().fault) return (MistakeSentence{schedule, state}.*row.text)();
  return "";
}

}  // namespace tilewalk
