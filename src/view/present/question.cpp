#include "view/present/question.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <initializer_list>

#include "base/units.h"
#include "base/words.h"
#include "core/schedules/registry.h"
#include "view/scores/tile_values.h"
#include "view/sentence/named_cell.h"
#include "view/sentence/sentence_parts.h"
#include "view/walk/traffic_model.h"
#include "view/words/units.h"
#include "view/words/walk_times.h"

namespace tilewalk {
namespace {

constexpr std::int64_t kMostListed = 8;

struct Asker {
  const Schedule& schedule;
  const Inputs* inputs;
  const Problem& problem;
  const State& state;
  std::int64_t r;
  const Step& step = state.step;
  const std::vector<Made>& made = made_by(row_of(problem), step.section_name, step.phase);

  // The row of the first of these quantities that the step makes; null where it makes none of them.
  const Made* row_of_any(std::initializer_list<Quantity> quantities) const {
    for (const Quantity quantity : quantities)
      for (const Made& each : made)
        if (each.quantity == quantity && !each.is_fresh() && !each.is_of_itself()) return &each;
    return nullptr;
  }
  std::int64_t row() const { return step.row_begin + r; }
  bool has(const std::vector<float>& values) const { return r < std::int64_t(values.size()); }
  std::string score(const std::vector<float>& values) const {
    return number_in_text(problem, display_score(problem, values[std::size_t(r)]));
  }
  std::string plain(const std::vector<float>& values) const { return number_in_text(problem, values[std::size_t(r)]); }

  std::optional<Question> row_max(const Made& max) const {
    if (max.quantity == Quantity::TileMax) {
      if (!has(state.tile_max)) return std::nullopt;
      return Question{fmt::format("Row {}: what is its largest score within this tile?", row()), r, "tile max"};
    }
    if (max.reads(Quantity::S) && has(state.m))
      return Question{fmt::format("Row {}: what is its largest score?", row()), r, "max"};
    if (!max.reads(Quantity::TileMax) || !has(state.m) || !has(state.m_old) || !has(state.tile_max))
      return std::nullopt;
    return Question{fmt::format("Row {}: the running max was {}, and this tile's best score is {}. What is m now?",
                                row(), score(state.m_old), score(state.tile_max)),
                    r, "m new"};
  }
  std::optional<Question> rescale() const {
    if (!has(state.alpha) || !has(state.m_old) || !has(state.m) || std::isinf(state.m_old[std::size_t(r)]))
      return std::nullopt;
    return Question{fmt::format("Row {}: the running max was {} and is {} now. What is α?", row(), score(state.m_old),
                                score(state.m)),
                    r, "α"};
  }
  std::optional<Question> weight(const Made& exponential) const {
    const std::int64_t cols = step.cols();
    if (cols <= 0 || std::int64_t(state.p.size()) < (r + 1) * cols || state.s.size() < state.p.size())
      return std::nullopt;
    const std::optional<Quantity> against = exponential.subtrahend();
    if (against != Quantity::M && against != Quantity::TileMax) return std::nullopt;
    const std::vector<float>& best = state.*ledger_row(*against).values;
    if (!has(best)) return std::nullopt;
    // A column whose weight is neither 0 by the mask nor 1 by being the max: those are no question.
    std::int64_t asked = -1;
    for (std::int64_t c = 0; c < cols; ++c) {
      const float p = state.p[std::size_t(r * cols + c)];
      if (p > 0 && p < 1 && (asked < 0 || p > state.p[std::size_t(r * cols + asked)])) asked = c;
    }
    if (asked < 0) return std::nullopt;
    const std::string own = number_in_text(problem, display_score(problem, state.s[std::size_t(r * cols + asked)]));
    return Question{fmt::format("Row {}, column {}: its score is {}, and the max is {}. What is its weight?", row(),
                                step.col_begin + asked, own, score(best)),
                    r, "", asked};
  }
  std::string weights() const {
    const std::int64_t cols = step.cols();
    std::string text;
    if (cols <= kMostListed && std::int64_t(state.p.size()) >= (r + 1) * cols)
      for (std::int64_t c = 0; c < cols; ++c)
        add_to_list(text, weight_text(problem, state.p[std::size_t(r * cols + c)]));
    return text;
  }
  std::optional<Question> row_sum(const Made& sum) const {
    if (!sum.reads(Quantity::P)) return std::nullopt;  // of the weights of splits
    const std::string listed = weights();
    if (sum.quantity == Quantity::TileSum) {
      if (!has(state.tile_l)) return std::nullopt;
      return Question{listed.empty() ? fmt::format("Row {}: what do this tile's exponentials add up to?", row())
                                     : fmt::format("Row {}: what do the weights {} add up to?", row(), listed),
                      r, "tile ℓ"};
    }
    if (!sum.reads_before(Quantity::L) && has(state.l))
      return Question{fmt::format("Row {}: what do its exponentials add up to?", row()), r, "sum"};
    if (!sum.reads_before(Quantity::L) || !has(state.l) || !has(state.l_old) || !has(state.alpha)) return std::nullopt;
    const float alpha = state.alpha[std::size_t(r)], before = state.l_old[std::size_t(r)];
    const std::string added =
        listed.empty()
            ? "add up to " + number_in_text(problem, double(state.l[std::size_t(r)]) - double(alpha) * double(before))
            : "are " + listed;
    return Question{fmt::format("Row {}: ℓ was {} and α is {}. This tile's weights {}. What is ℓ now?", row(),
                                plain(state.l_old), weight_text(problem, alpha), added),
                    r, "ℓ new"};
  }
  // The first number of the row: its weights meet a column of V, and are added to what O had.
  std::optional<Question> output(const Made& sum) const {
    const std::size_t cols = std::size_t(step.cols()), row = std::size_t(r), d = std::size_t(problem.shape.d);
    const bool adds = sum.reads(Quantity::P) && !sum.reads(Quantity::L);
    if (!adds || step.cols() > kMostListed || !is_hand_size(problem) || state.o.size() < (row + 1) * d ||
        state.p.size() < (row + 1) * cols)
      return std::nullopt;
    std::string old;
    if (inputs) {
      const OperandTile v = operand_at(schedule, *inputs, state, TensorId::V);
      if (v.empty()) return std::nullopt;
      old = number_in_text(problem, double(state.o[row * d]) - added_to_output(state, v, r));
    }
    return Question{fmt::format("Row {}: O in column 0 is {} so far. The row's weights {} meet column 0 of {}. "
                                "What does {} become?",
                                this->row(), old, weights(), tile_name(TensorId::V, step.kv_tile), old),
                    r, "", -1, 0};
  }
};

std::optional<Question> question_at_end(const Schedule& schedule) {
  const Problem& p = schedule.problem();
  const WholeRuns runs = whole_runs(schedule);
  const ScheduleKind way = other_way(p, runs.other_kind);
  const std::int64_t other = (row_of(p).memory.scores_in_hbm ? runs.other : runs.naive).hbm_total().bytes();
  if (way == p.schedule || other == 0 || p.fault != Fault::None) return std::nullopt;
  return Question{
      fmt::format("Finished: {} moved {} between HBM and SRAM. {} computes the same. How much does it move?",
                  title_of(p.schedule), format_bytes(runs.own.hbm_total().bytes()), title_of(way)),
      -1, ""};
}

}  // namespace

std::optional<Question> question_at(const Schedule& schedule, const State& state, const Inputs* inputs) {
  if (state.cursor == schedule.step_count()) return question_at_end(schedule);
  const std::int64_t r = spoken_row(schedule.problem(), state);
  if (r < 0) return std::nullopt;
  const Asker ask{schedule, inputs, schedule.problem(), state, r};
  if (ask.row_of_any({Quantity::Alpha})) return ask.rescale();
  if (const Made* max = ask.row_of_any({Quantity::M, Quantity::TileMax})) return ask.row_max(*max);
  if (const Made* sum = ask.row_of_any({Quantity::TileSum, Quantity::L})) return ask.row_sum(*sum);
  if (const Made* weight = ask.row_of_any({Quantity::P}))
    if (!weight->reads(Quantity::L)) return ask.weight(*weight);
  if (const Made* output = ask.row_of_any({Quantity::O})) return ask.output(*output);
  return std::nullopt;
}

}  // namespace tilewalk
