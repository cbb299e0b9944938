#include "view/walk/wrong_and_right.h"

#include <fmt/format.h>

#include <cmath>

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

std::string place_of(const Problem& p, const Step& step, const PrintedDifference& d) {
  const std::int64_t at = std::int64_t(d.element);
  switch (ledger_row(d.quantity).shape) {
    case QuantityShape::Row: return fmt::format("row {}", step.row_begin + at);
    case QuantityShape::Cell:
      return fmt::format("row {}, column {}", step.row_begin + at / step.cols(), step.col_begin + at % step.cols());
    case QuantityShape::RowByHead:
      return fmt::format("row {}, column {}", step.row_begin + at / p.shape.d, at % p.shape.d);
    case QuantityShape::ColByHead:
      return fmt::format("row {}, column {}", step.col_begin + at / p.shape.d, at % p.shape.d);
    case QuantityShape::RowBySplit: break;
  }
  return {};
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

std::string wrong_and_right(const Schedule& schedule, const State& state, const State& right) {
  if (!state.started) return {};
  const Problem& p = schedule.problem();
  PrintedDifference largest;
  const std::int64_t spoken = spoken_row(p, state);  // the sentence names its first number
  for (const Made& made : made_by(row_of(p), state.step.section_name, state.step.phase)) {
    const QuantityRow& row = ledger_row(made.quantity);
    if (!row.values || row.shape == QuantityShape::RowBySplit) continue;
    const std::vector<float>&values = state.*row.values, &should = right.*row.values;
    if (values.size() != should.size()) continue;
    for (std::size_t i = 0; i < values.size(); ++i) {
      const double a = row.is_score ? display_score(p, values[i]) : values[i],
                   b = row.is_score ? display_score(p, should[i]) : should[i];
      if (!differs_in_print(a, b)) continue;
      const bool named =
          spoken >= 0 && ((row.shape == QuantityShape::Row && i == std::size_t(spoken)) ||
                          (row.shape == QuantityShape::RowByHead && i == std::size_t(spoken * p.shape.d)));
      const double size = named ? HUGE_VAL : size_of(a, b);
      if (size > largest.size) largest = {made.quantity, i, a, b, size};
    }
  }
  if (largest.size < 0) return {};
  return fmt::format("Wrong: {} in {} is {}, not {}.", ledger_row(largest.quantity).letter,
                     place_of(p, state.step, largest), compact_number(largest.is), compact_number(largest.should));
}

}  // namespace tilewalk
