#include "view/walk/wrong_and_right.h"

#include <fmt/format.h>

#include <cmath>
#include <utility>

#include "core/problem/format_value.h"
#include "core/schedules/registry.h"
#include "view/sentence/named_cell.h"

namespace tilewalk {
namespace {

struct PrintedDifference {
  Quantity quantity{};
  std::size_t element = 0;
  double is = 0, should = 0, size = -1;
};

// A difference that is not a number is larger than any other.
double size_of(double is, double should) {
  const double size = std::fabs(is - should);
  return std::isnan(size) ? HUGE_VAL : size;
}

// The row and the column of an element; −1: it has no column.
std::pair<std::int64_t, std::int64_t> place_of(const Problem& p, const Step& step, const PrintedDifference& d) {
  const std::int64_t at = std::int64_t(d.element), head = p.shape.d;
  switch (ledger_row(d.quantity).shape) {
    case QuantityShape::Row: return {step.row_begin + at, -1};
    case QuantityShape::Cell: return {step.row_begin + at / step.cols(), step.col_begin + at % step.cols()};
    case QuantityShape::RowByHead: return {step.row_begin + at / head, at % head};
    case QuantityShape::ColByHead: return {step.col_begin + at / head, at % head};
    case QuantityShape::RowBySplit: break;
  }
  return {-1, -1};
}

// The element that the sentence names; −1: none.
std::int64_t named_element(const Problem& p, const State& state, QuantityShape shape) {
  const std::int64_t spoken = spoken_row(p, state);
  if (spoken < 0) return -1;
  if (shape == QuantityShape::Row) return spoken;
  if (shape == QuantityShape::RowByHead) return spoken * p.shape.d;
  const NamedCell named = shape == QuantityShape::Cell ? named_cell(p, state) : NamedCell{};
  return named.col < 0 ? -1 : spoken * state.step.cols() + named.col - state.step.col_begin;
}

void compare(const Problem& p, const State& state, const State& right, Quantity quantity, PrintedDifference& largest) {
  const QuantityRow& row = ledger_row(quantity);
  if (!row.values || row.shape == QuantityShape::RowBySplit) return;
  const std::vector<float>&values = state.*row.values, &should = right.*row.values;
  if (values.size() != should.size()) return;
  const std::int64_t named = named_element(p, state, row.shape);
  for (std::size_t i = 0; i < values.size(); ++i) {
    const double a = row.is_score ? display_score(p, values[i]) : values[i],
                 b = row.is_score ? display_score(p, should[i]) : should[i];
    if (!differs_in_print(a, b)) continue;
    const double size = std::int64_t(i) == named ? HUGE_VAL : size_of(a, b);
    if (size > largest.size) largest = {quantity, i, a, b, size};
  }
}

}  // namespace

bool differs_in_print(double is, double should) { return is != should && compact_number(is) != compact_number(should); }

bool is_wrong(const Problem& p, const State& state, const State& right) {
  for (const QuantityRow& row : quantity_ledger()) {
    if (!row.values) continue;
    const std::vector<float>&values = state.*row.values, &should = right.*row.values;
    if (values.size() != should.size()) continue;
    for (std::size_t i = 0; i < values.size(); ++i)
      if (row.is_score ? differs_in_print(display_score(p, values[i]), display_score(p, should[i]))
                       : differs_in_print(values[i], should[i]))
        return true;
  }
  return false;
}

std::optional<WrongNumber> wrong_number(const Schedule& schedule, const State& state, const State& right) {
  if (!state.started) return std::nullopt;
  const Problem& p = schedule.problem();
  PrintedDifference largest;
  for (const Made& made : made_by(row_of(p), state.step.section_name, state.step.phase))
    compare(p, state, right, made.quantity, largest);
  const bool stored = largest.size < 0;
  if (stored) {
    const Cost cost = schedule.cost_of(state.step);
    for (const QuantityRow& row : quantity_ledger())
      if (row.tensor && cost.of(*row.tensor).write_bytes > 0) compare(p, state, right, row.id, largest);
  }
  if (largest.size < 0) return std::nullopt;
  const auto [row, col] = place_of(p, state.step, largest);
  const std::string column = col < 0 ? "" : fmt::format(", column {}", col);
  return WrongNumber{largest.quantity, row, col,
                     fmt::format("Wrong: {}{} in row {}{} is {}, not {}.", stored ? "the stored " : "",
                                 ledger_row(largest.quantity).letter, row, column, compact_number(largest.is),
                                 compact_number(largest.should))};
}

std::string wrong_and_right(const Schedule& schedule, const State& state, const State& right) {
  const std::optional<WrongNumber> wrong = wrong_number(schedule, state, right);
  return wrong ? wrong->text : "";
}

}  // namespace tilewalk
