#include "view/sentence/sentence.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/parse.h"
#include "base/units.h"
#include "base/words.h"
#include "core/schedules/registry.h"
#include "view/sentence/named_cell.h"
#include "view/sentence/sentence_parts.h"
#include "view/words/mask_words.h"
#include "view/words/units.h"

namespace tilewalk {
namespace {

struct ForwardSentence {
  const Schedule& schedule;
  const State& state;
  const Problem& problem = schedule.problem();
  const Step& step = state.step;
  const bool whole_rows = !runs(row_of(problem), Quantity::M);

  std::string score(float value) const { return number_in_text(problem, display_score(problem, value)); }
  // e^(a − b), of both as they are printed.
  double power_of_shown(float a, float b) const {
    return std::exp(shown_value(problem, display_score(problem, a)) - shown_value(problem, display_score(problem, b)));
  }
  const char* base() const { return base_text(problem); }
  std::int64_t bytes_read(TensorId id) const { return schedule.cost_of(step).of(id).read_bytes; }
  std::int64_t bytes_written(TensorId id) const { return schedule.cost_of(step).of(id).write_bytes; }
  std::int64_t masked_entries() const {
    const Band band = problem.shape.band();
    std::int64_t hidden = 0;
    for (std::int64_t i = step.row_begin; i < step.row_end; ++i) {
      const std::int64_t first = std::max(step.col_begin, band.first_col(i));
      const std::int64_t end = std::min(step.col_end, band.end_col(i, problem.shape.n_kv));
      hidden += step.cols() - std::max<std::int64_t>(0, end - first);
    }
    return hidden;
  }

  std::string load_q() const {
    const std::string queries = step.rows() == 1 ? fmt::format("query {}", step.row_begin)
                                                 : fmt::format("queries {} to {}", step.row_begin, step.row_end - 1);
    const std::string loaded = fmt::format("Q tile {} ({}, {}) comes from HBM into SRAM", step.q_tile, queries,
                                           format_bytes(bytes_read(TensorId::Q)));
    if (whole_rows) return loaded + " and stays while its row of score tiles is made.";
    return loaded + " and stays. The running max m starts at −∞, the running sum ℓ and O at 0.";
  }
  std::string load_kv() const {
    return fmt::format(
        "K tile {} (keys, {}) and V tile {} (what each key adds to O, {}) come from HBM into SRAM for Q tile {}.",
        step.kv_tile, format_bytes(bytes_read(TensorId::K)), step.kv_tile, format_bytes(bytes_read(TensorId::V)),
        step.q_tile);
  }
  std::string load_k() const {
    return fmt::format("K tile {} (keys, {}) comes from HBM into SRAM for Q tile {}.", step.kv_tile,
                       format_bytes(bytes_read(TensorId::K)), step.q_tile);
  }
  std::string scores() const {
    std::string text = fmt::format("Q tile {} times K tile {} transposed, times {}, gives {}×{} scores", step.q_tile,
                                   step.kv_tile, signed_number(problem.scale_value(), 3), step.rows(), step.cols());
    const NamedCell named = named_cell(problem, state);
    if (named.col < 0) return text + ".";
    const std::int64_t at = (named.row - step.row_begin) * step.cols() + named.col - step.col_begin;
    return text + fmt::format(". Row {}, column {}: {}.", named.row, named.col, score(state.s[std::size_t(at)]));
  }
  std::string mask() const {
    const std::int64_t hidden = masked_entries();
    if (hidden == 0) return "Nothing is masked: each row may see this whole tile.";
    return fmt::format("{} of the {} scores become −∞ ({} mask: {}).", format_count(hidden),
                       format_count(step.rows() * step.cols()), mask_title(problem), mask_rule(problem));
  }
  std::string store_s() const {
    return fmt::format(
        "The {}×{} score tile goes back to HBM: {} written{}, to be read again by the "
        "softmax pass, which turns scores into weights.",
        step.rows(), step.cols(), format_bytes(bytes_written(TensorId::S)),
        problem.numerics.narrow_scores ? fmt::format(", each score rounded to {}", name_of(problem.numerics.dtype))
                                       : "");
  }
  std::string load_s(bool again) const {
    const std::string bytes = format_bytes(bytes_read(TensorId::S));
    if (again)
      return fmt::format("{} of S are read from HBM a second time ({}), because a row does not fit in SRAM.",
                         rows_capital(), bytes);
    return fmt::format("{} of S, whole, come back from HBM: {}.", rows_capital(), bytes);
  }
  std::string row_max() const {
    const std::int64_t r = spoken_row(problem, state);
    if (r < 0 || state.m.empty()) return fmt::format("The largest score of each of {} is found.", rows_text(step));
    const std::int64_t row = step.row_begin + r;
    if (whole_rows)
      return std::isinf(state.m[r]) ? fmt::format("Row {} sees nothing: its max stays −∞.", row)
                                    : fmt::format("Row {}: its largest score is {}. Every row has its own max now.",
                                                  row, score(state.m[r]));
    if (state.tile_max.empty() || state.m_old.empty())
      return fmt::format("Row {}: the running max is {}.", row, score(state.m[r]));
    const float best = state.tile_max[r], old = state.m_old[r];
    if (std::isinf(best))
      return fmt::format("Row {} sees nothing in this tile, so its running max stays {}.", row, score(old));
    if (std::isinf(old))
      return fmt::format("Row {}: the largest score so far is this tile's, so m goes from −∞ to {}.", row,
                         score(state.m[r]));
    if (best > old)
      return fmt::format("Row {}: this tile's best score {} beats the running max {}, so m becomes {}.", row,
                         score(best), score(old), score(state.m[r]));
    return fmt::format("No row of this tile beats its running max. Row {}: {} stays above {}.", row, score(old),
                       score(best));
  }
  std::string rescale() const {
    const std::int64_t r = spoken_row(problem, state);
    if (r < 0 || state.alpha.empty()) return "O is multiplied by α, row by row.";
    const std::int64_t row = step.row_begin + r;
    const float old = state.m_old.empty() ? 0 : state.m_old[r], now = state.m.empty() ? 0 : state.m[r],
                alpha = state.alpha[r];
    if (std::isinf(old))
      return fmt::format(
          "Row {} has seen nothing before this tile: its old max is −∞, so α = 0, and O and ℓ, which are 0, stay 0.",
          row);
    if (alpha == 1.0f) return "No row found a larger score in this tile, so α = 1 everywhere and O stays as it is.";
    const std::string best = state.tile_max.empty() ? score(now) : score(state.tile_max[r]);
    const double gap = double(display_score(problem, now));
    const std::string power = fmt::format(
        "α = {}^({}{}{}) {} {}", base(), score(old), gap < 0 ? "+" : "−", number_in_text(problem, std::fabs(gap)),
        equals_sign(problem, power_of_shown(old, now), weight_text(problem, alpha)), weight_text(problem, alpha));
    if (problem.fault == Fault::ForgetRescaleO || problem.fault == Fault::InverseRescale)
      return fmt::format(
          "Row {}: this tile's best score {} beats the running max {}. O should now shrink by {}. This kernel {}.", row,
          best, score(old), power,
          problem.fault == Fault::ForgetRescaleO ? "leaves O as it is" : "divides O by α, so O grows");
    return fmt::format(
        "Row {}: {} beats the running max {}. The weights added up so far subtracted only {} and are too large, so O, "
        "and then ℓ, shrink by {}.",
        row, best, score(old), score(old), power);
  }
  std::string exponentiate() const {
    const std::int64_t r = spoken_row(problem, state);
    const std::string what = right_side_text(problem, step, Quantity::P);
    if (r < 0 || state.p.empty()) return fmt::format("Each score becomes {}; no value is above 1.", what);
    const std::int64_t c = named_cell(problem, state).col - step.col_begin, at = r * step.cols() + c;
    if (c < 0)
      return fmt::format("Each score becomes {}. Row {} sees nothing here: all its exponentials are 0.", what,
                         step.row_begin + r);
    if (state.s.empty() || state.m.empty())
      return fmt::format("Each score becomes {}. Row {}, column {}: {}.", what, step.row_begin + r, step.col_begin + c,
                         number_in_text(problem, state.p[at]));
    const double max_now = display_score(problem, state.m[r]);
    // Said once for each Q tile, where its first exponentials are.
    const bool first = std::size_t(r) < state.m_old.size() && std::isinf(state.m_old[r]);
    return fmt::format("Each score becomes {}{}. Row {}, column {}: {}^({}{}{}) {} {}.", what,
                       first ? ": with m subtracted no power is above 1, so none overflows" : "", step.row_begin + r,
                       step.col_begin + c, base(), score(state.s[at]), max_now < 0 ? "+" : "−",
                       number_in_text(problem, std::fabs(max_now)),
                       equals_sign(problem, power_of_shown(state.s[at], state.m[r]), weight_text(problem, state.p[at])),
                       weight_text(problem, state.p[at]));
  }
  std::string row_sum() const {
    const std::int64_t r = spoken_row(problem, state);
    if (r < 0 || state.l.empty()) return "The exponentials of each row are added up.";
    const std::int64_t row = step.row_begin + r;
    if (whole_rows || state.l_old.empty() || state.alpha.empty())
      return fmt::format("Row {}: its exponentials add up to ℓ = {}.", row, number_in_text(problem, state.l[r]));
    const bool forgets = problem.fault == Fault::ForgetRescaleL;
    const double kept = (forgets ? 1.0 : double(state.alpha[r])) * double(state.l_old[r]);
    const std::string added = number_in_text(problem, double(state.l[r]) - kept),
                      sum = number_in_text(problem, state.l[r]);
    const auto sign = [&](double scaled) {
      return equals_sign(problem, scaled + shown_value(problem, double(state.l[r]) - kept), sum);
    };
    const double old = shown_value(problem, state.l_old[r]);
    if (forgets)
      return fmt::format("Row {}: ℓ = ℓ + this tile's sum = {}. α = {} is forgotten.", row,
                         addition_text(problem, kept, double(state.l[r]) - kept), weight_text(problem, state.alpha[r]));
    const std::string factor = factor_text(problem, state.alpha[r], state.l_old[r]);
    return fmt::format("Row {}: {} = {} × {} + {} {} {}.", row, formula_text(problem, step, Quantity::L), factor,
                       number_in_text(problem, state.l_old[r]), added,
                       sign(parse_real(factor).value_or(std::nan("")) * old), sum);
  }
  std::string divide() const {
    const std::int64_t r = spoken_row(problem, state);
    if (r < 0 || state.l.empty())
      return "Each weight is divided by the sum of its row, so every row of P adds up to 1.";
    if (state.l[r] == 0)
      return fmt::format("Row {} sees nothing: its sum is 0, and its P is 0 by rule.", step.row_begin + r);
    return fmt::format("Each weight is divided by the sum of its row; row {} by {}. Every row of P now adds up to 1.",
                       step.row_begin + r, number_in_text(problem, state.l[r]));
  }
  std::string store_p() const {
    const std::int64_t sums = bytes_written(TensorId::l);
    return fmt::format("{} of P to HBM: {} written{}.", rows_capital(), format_bytes(bytes_written(TensorId::P)),
                       sums > 0 ? fmt::format(", undivided, with {} of row sums beside them", format_bytes(sums)) : "");
  }
  std::string load_pv() const {
    return fmt::format("P tile ({}, {}) and V tile {} ({}) come from HBM into SRAM.", step.q_tile, step.kv_tile,
                       step.kv_tile, format_bytes(bytes_read(TensorId::P) + bytes_read(TensorId::V)));
  }
  std::string accumulate() const {
    const std::string what = fmt::format("{} times V tile {} is added to O tile {}", whole_rows ? "The P tile" : "P",
                                         step.kv_tile, step.q_tile);
    if (state.o.empty() || spoken_row(problem, state) < 0) return what + ".";
    const std::int64_t r = spoken_row(problem, state);
    return what + fmt::format(". Row {} of O then starts with {}{}.", step.row_begin + r,
                              number_in_text(problem, state.o[r * problem.shape.d]),
                              whole_rows ? "" : ", not yet divided by ℓ");
  }
  std::string normalise() const {
    const std::int64_t r = spoken_row(problem, state);
    if (r < 0 || state.l.empty()) return fmt::format("O tile {} is divided by ℓ, once, at the end.", step.q_tile);
    if (state.l[r] == 0)
      return fmt::format("Row {} sees nothing: ℓ is 0, so its O is 0 and its L is ∞ by rule.", step.row_begin + r);
    std::string text = fmt::format("O tile {} is divided by ℓ, once, at the end: row {} by {}", step.q_tile,
                                   step.row_begin + r, number_in_text(problem, state.l[r]));
    if (!state.lse.empty())
      text += fmt::format(". Its {} = {}", formula_text(problem, step, Quantity::LogSum), score(state.lse[r]));
    return text + ".";
  }
  std::string store() const {
    const std::int64_t lse = bytes_written(TensorId::L);
    return fmt::format(
        "O tile {} is finished and goes to HBM, once: {} written{}.", step.q_tile,
        format_bytes(bytes_written(TensorId::O)),
        lse <= 0 ? "" : fmt::format(", and {} of L, from which a backward pass makes P again", format_bytes(lse)));
  }
  std::string rows_capital() const {
    std::string text = rows_text(step);
    text[0] = 'R';
    return text;
  }
};

}  // namespace

std::string step_sentence(const Schedule& schedule, const State& state) {
  if (!state.started) {
    if (schedule.step_count() == 0) return "There is nothing to do: this walk has no steps.";
    return first_sentence(schedule);
  }
  for (const auto& own :
       {mistake_sentence(schedule, state), variant_sentence(schedule, state), backward_sentence(schedule, state)})
    if (!own.empty()) return own;
  const ForwardSentence words{schedule, state};
  switch (state.step.phase) {
    case Phase::LoadQ: return words.load_q();
    case Phase::LoadKV: return words.load_kv();
    case Phase::LoadK: return words.load_k();
    case Phase::Scores: return words.scores();
    case Phase::Mask: return words.mask();
    case Phase::StoreS: return words.store_s();
    case Phase::LoadS: return words.load_s(false);
    case Phase::LoadSAgain: return words.load_s(true);
    case Phase::RowMax: return words.row_max();
    case Phase::Rescale: return words.rescale();
    case Phase::Exponentiate: return words.exponentiate();
    case Phase::RowSum: return words.row_sum();
    case Phase::Divide: return words.divide();
    case Phase::StoreP: return words.store_p();
    case Phase::LoadL:
      return fmt::format(
          "The row sums ℓ of {} ({}) come from HBM: this pass divides, because a row did not fit before.",
          rows_text(state.step), format_bytes(words.bytes_read(TensorId::l)));
    case Phase::LoadPV: return words.load_pv();
    case Phase::Accumulate: return words.accumulate();
    case Phase::Normalise: return words.normalise();
    case Phase::Store: return words.store();
    default: return fmt::format("The step \"{}\" of Q tile {}.", name_of(state.step.phase), state.step.q_tile);
  }
}

double reading_seconds(const Schedule& schedule, const State& state) {
  constexpr double kToLook = 0.8, kAWord = 0.1, kLeast = 1.5, kMost = 2.5;
  const std::string sentence = step_sentence(schedule, state);
  const auto words = 1 + std::count(sentence.begin(), sentence.end(), ' ');
  return std::clamp(kToLook + kAWord * double(words), kLeast, kMost);
}

std::string step_cost_text(const Schedule& schedule, const State& state) {
  if (!state.started) return "nothing read, nothing written";
  const Cost cost = schedule.cost_of(state.step);
  const Traffic hbm = cost.hbm_total();
  std::string text = fmt::format("reads {} · writes {}", format_bytes(hbm.read_bytes), format_bytes(hbm.write_bytes));
  std::string work;
  const auto add = [&work](std::int64_t count, const char* what) {
    if (count > 0) add_to_list(work, fmt::format("{} {}", format_count(count), what));
  };
  add(cost.matmul, "matmul");
  add(cost.exp, "exp");
  add(cost.other, "other operations");
  if (!work.empty()) text += " · " + work;
  if (hbm.bytes() == 0) text += " · on chip";
  return text;
}

bool changes_nothing(const Schedule& schedule, const Step& step) {
  return step.phase == Phase::Mask && schedule.problem().shape.mask.kind == MaskKind::None;
}

std::string phase_purpose(const Schedule& schedule, const Step& step) {
  const ScheduleRow& row = row_of(schedule.problem());
  const Phase phase = step.phase;
  for (const auto& own : {variant_purpose(schedule.problem(), step), backward_purpose(row, phase)})
    if (!own.empty()) return own;
  const bool whole_rows = !runs(row, Quantity::M);
  switch (phase) {
    case Phase::LoadQ: return "Load: a Q tile is read once.";
    case Phase::LoadKV: return "Load: one K tile and one V tile join the Q tile that is already on chip.";
    case Phase::LoadK: return "Load: one K tile joins the Q tile that is already on chip.";
    case Phase::Scores: return "Scores: every row of the Q tile against every row of the K tile.";
    case Phase::Mask:
      return changes_nothing(schedule, step) ? "Mask: there is none here, so nothing changes."
                                             : "Mask: what a row may not see becomes −∞, so that its weight is 0.";
    case Phase::StoreS: return "Store: the score tile goes back to HBM. FlashAttention never does this.";
    case Phase::LoadS: return "Load: the softmax needs whole rows of S.";
    case Phase::LoadSAgain: return "Load: the row did not fit in SRAM, so it is read again.";
    case Phase::RowMax:
      return whole_rows ? "Row max: the largest score of each row."
                        : "Row max: the running max of each row, this tile included.";
    case Phase::Rescale: return "Rescale: α converts the sums for the old max to the new one.";
    case Phase::Exponentiate: return "Exponentiate: scores become exponentials between 0 and 1.";
    case Phase::RowSum:
      return whole_rows ? "Row sum: the exponentials of each row are added up."
                        : "Row sum: the running sum ℓ is shrunk by α, then this tile's exponentials are added.";
    case Phase::Divide: return "Normalise: exponentials become shares of their row, the weights.";
    case Phase::StoreP: return "Store: P goes to HBM. FlashAttention never does this.";
    case Phase::LoadL: return "Load: the row sums, to divide by.";
    case Phase::LoadPV: return "Load: a tile of P and a tile of V.";
    case Phase::Accumulate: return "Accumulate: exponentials times V are added to O.";
    case Phase::Normalise: return "Normalise: O is divided by ℓ once, at the end.";
    case Phase::Store: return "Store: the finished O tile goes to HBM.";
    default: return name_of(phase);
  }
}

std::string right_side_text(const Problem& p, const Step& step, Quantity quantity) {
  const Made* made = made_by(row_of(p), step, quantity);
  return made ? right_side_of(p, *made, Notation::Screen) : "";
}

std::string formula_text(const Problem& p, const Step& step, Quantity quantity) {
  const Made* made = made_by(row_of(p), step, quantity);
  return made ? formula_of(p, *made, Notation::Screen) : "";
}

}  // namespace tilewalk
