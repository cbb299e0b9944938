#include "view/present/present_meeting.h"

#include <fmt/format.h>

#include <algorithm>

#include "core/problem/format_value.h"
#include "core/schedules/registry.h"
#include "view/scores/tile_values.h"
#include "view/sentence/sentence_parts.h"
#include "view/walk/wrong_and_right.h"
#include "view/words/units.h"

namespace tilewalk {
namespace {

constexpr double kProducts = 0.9;  // of the score's time; the rest is the total's

// What the step makes of each cell by a product of two inputs; null: nothing.
const Made* product_of_inputs(const Schedule& schedule, const Step& step) {
  for (const Made& made : made_by(row_of(schedule.problem()), step.section_name, step.phase)) {
    const std::vector<const MadeFrom*> factors = factors_of(made);
    if (ledger_row(made.quantity).shape == QuantityShape::Cell && !factors.empty() &&
        std::all_of(factors.begin(), factors.end(), [](const MadeFrom* from) { return !from->quantity; }))
      return &made;
  }
  return nullptr;
}

// Adds the products of two rows of the same length, spread evenly over the span; returns their sum.
double add_terms(PresentMeeting& out, const Problem& p, const float* left, const float* upper, Span span, int most) {
  const std::int64_t d = p.shape.d, shown = d <= most ? d : std::max(1, most - 1);
  out.left_out = d - shown;
  const double part = kProducts * (span.end - span.begin) / double(shown + (out.left_out > 0));
  double sum = 0, begin = span.begin;
  for (std::int64_t x = 0; x < d; ++x) {
    const float a = left[x], b = upper[x];
    sum += double(a) * b;
    if (x >= shown) continue;
    out.terms.push_back({format_value(p, a),
                         format_value(p, b),
                         format_value(p, a * b),
                         format_value(p, float(sum)),
                         {begin, begin + part}});
    begin += part;
  }
  return sum;
}

void add_titles(PresentMeeting& out, std::int64_t left_tile, std::int64_t upper_tile) {
  out.title = fmt::format("Row {} of {} meets row {} of {}", out.row, tile_name(out.left, left_tile), out.col,
                          tile_name(out.upper, upper_tile));
  out.left_title = fmt::format("{} row {}", name_of(out.left), out.row);
  out.upper_title = fmt::format("{} row {}", name_of(out.upper), out.col);
}

std::string sum_text(const Problem& p, double sum, double scale) {
  return fmt::format("Σ {}{}", number_in_text(p, sum), scale == 1 ? "" : " × " + signed_number(scale, 3));
}

bool has_row(const OperandTile& tile, std::int64_t row) {
  return !tile.empty() && row >= tile.row_begin && row < tile.row_begin + tile.rows;
}

}  // namespace

std::optional<PresentMeeting> build_present_meeting(const Schedule& schedule, const Inputs& inputs,
                                                    const SeenState& seen, const Motion* moving, int most_terms) {
  const State& state = seen.state();
  const Problem& p = schedule.problem();
  if (!state.started) return std::nullopt;
  const Made* const made = product_of_inputs(schedule, state.step);
  const NamedCell named = named_cell(p, state);
  if (!made || named.row < 0 || named.col < 0) return std::nullopt;
  PresentMeeting out;
  out.left = left_operand_of(made->quantity), out.upper = upper_operand_of(made->quantity);
  const OperandTile left = operand_at(schedule, inputs, state, out.left),
                    upper = operand_at(schedule, inputs, state, out.upper);
  const std::size_t at =
      std::size_t((named.row - state.step.row_begin) * state.step.cols() + named.col - state.step.col_begin);
  const std::vector<float>& values = values_of(state, made->quantity);
  if (!has_row(left, named.row) || !has_row(upper, named.col) || at >= values.size() || seen.hides(made->quantity, at))
    return std::nullopt;
  out.row = named.row, out.col = named.col;
  add_titles(out, left.tile, upper.tile);
  const MovingValues* const v = moving ? moving->of(made->quantity) : nullptr;
  const Span span = v && v->holds(named.row, named.col) ? v->of(named.row, named.col) : Span{0, 0};
  const float *const left_row = &left.values[std::size_t((named.row - left.row_begin) * left.d)],
                     *const upper_row = &upper.values[std::size_t((named.col - upper.row_begin) * upper.d)];
  const double sum = add_terms(out, p, left_row, upper_row, span, most_terms);
  const bool scores = ledger_row(made->quantity).is_score;
  const double scale = made->quantity == Quantity::S ? p.scale_value() : 1,
               value = scores ? display_score(p, values[at]) : double(values[at]);
  if (p.fault != Fault::None && differs_in_print(sum * scale, value)) return std::nullopt;
  out.total = {.text = sum_text(p, sum, scale),
               .result = scores ? number_in_text(p, value) : weight_text(p, values[at]),
               .span = {span.begin + kProducts * (span.end - span.begin), span.end}};
  return out;
}

PresentMeeting meeting_of_score(const Inputs& inputs, const HeadId& head, std::int64_t row, std::int64_t col,
                                int most_terms) {
  const Problem& p = inputs.problem();
  PresentMeeting out;
  out.row = row, out.col = col;
  add_titles(out, row / p.tiling.br, col / p.tiling.bc);
  std::vector<float> scratch;
  const float* const q = inputs.rows(input_head(p, TensorId::Q, head), row, 1, scratch);
  const std::vector<float> left(q, q + p.shape.d);
  const float* const upper = inputs.rows(input_head(p, TensorId::K, head), col, 1, scratch);
  const double sum = add_terms(out, p, left.data(), upper, {0, 0}, most_terms);
  const float score = scores_of(inputs, {head, row, row + 1, col, col + 1}).at(0);
  out.total = {.text = sum_text(p, sum, p.scale_value()), .result = number_in_text(p, display_score(p, score))};
  return out;
}

}  // namespace tilewalk
