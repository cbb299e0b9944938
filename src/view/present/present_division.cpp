#include "view/present/present_division.h"

#include "core/schedules/registry.h"

namespace tilewalk {

bool divides_output(const Problem& p, const State& state, const PresentTile& tile) {
  if (!state.started || state.step.in_visit() || tile.quantity != Quantity::O || tile.columns.empty()) return false;
  const Made* const made = made_by(row_of(p), state.step, Quantity::O);
  return made && made->reads(Quantity::L) && !made->reads(Quantity::Alpha) &&
         std::ssize(state.l) == state.step.rows() && !state.o.empty();
}

PresentTable undivided_table(const Problem& p, const State& state, const PresentTile& tile) {
  PresentTable table;
  table.title = "Before: O tile " + std::to_string(state.step.q_tile);
  table.columns = {"row"};
  table.columns.insert(table.columns.end(), tile.columns.begin(), tile.columns.end());
  table.columns.push_back("/ ℓ");
  table.quantities.resize(table.columns.size());
  table.quantities.back() = Quantity::L;
  table.dimmed.resize(table.columns.size(), true);
  table.dimmed.front() = table.dimmed.back() = false;
  for (std::size_t r = 0; r < tile.rows.size(); ++r) {
    const std::int64_t row = tile.row_begin + std::int64_t(r), at = row - state.step.row_begin;
    const float sum = state.l[std::size_t(at)];
    PresentTableRow line{row, {tile.rows[r]}, int(r) == tile.spoken, false, false, -1, {}};
    for (std::size_t c = 0; c < tile.columns.size(); ++c)
      line.cells.push_back(
          format_value(p, state.o[std::size_t(at * p.shape.d + tile.col_begin + std::int64_t(c))] * sum));
    line.cells.push_back(format_value(p, sum));
    table.rows.push_back(std::move(line));
  }
  return table;
}

}  // namespace tilewalk
