#include "view/present/present_table.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/units.h"
#include "core/schedules/registry.h"
#include "view/scores/tile_values.h"
#include "view/sentence/named_cell.h"
#include "view/sentence/sentence_parts.h"
#include "view/words/units.h"

namespace tilewalk {
namespace {

constexpr std::int64_t kOutputColumns = 5, kBesideAlpha = 4;  // of a row of the output that a room reads

// What the step adds to a gradient: "dV = dV before + Pᵀ dO · tile 0"; empty where it adds to none.
std::string sum_title(const Schedule& schedule, const Step& step, const ShownTile& shown) {
  const Made* const made = made_by(row_of(schedule.problem()), step, shown.quantity);
  if (shown.quantity == Quantity::O || !made || !adds_to_output(schedule, step)) return "";
  return fmt::format("{} · tile {}", formula_of(schedule.problem(), *made, Notation::Screen), shown.tile);
}

}  // namespace

ShownSpan around(std::int64_t centre, std::int64_t most, std::int64_t all) {
  const std::int64_t count = std::min(std::max<std::int64_t>(1, most), all);
  return {std::clamp<std::int64_t>(centre - count / 2, 0, all - count), count};
}

PresentTable table_of(const SoftmaxModel& m, int most_rows, std::int64_t spoken, const std::optional<Question>& open) {
  PresentTable table;
  table.title = m.title;
  table.columns = m.columns;
  table.alpha_column = m.alpha_column;
  for (const std::optional<HandPlace>& asked : m.asked)
    table.quantities.push_back(asked ? std::optional(asked->quantity) : std::nullopt);
  if (m.rows.empty()) return table;
  const ShownSpan span = around(std::max<std::int64_t>(0, spoken), most_rows, std::int64_t(m.rows.size()));
  for (std::int64_t r = span.begin; r < span.begin + span.count; ++r) {
    const SoftmaxRow& from = m.rows[std::size_t(r)];
    PresentTableRow row{from.row, from.cells, from.spoken, from.rescaled, false, -1, {}};
    if (open && open->row == r)
      for (std::size_t c = 0; c < m.columns.size() && c < row.cells.size(); ++c)
        if (m.columns[c] == open->column) row.cells[c] = "?", row.asked = int(c), row.rescaled = false;
    table.rows.push_back(std::move(row));
  }
  return table;
}

bool adds_to_output(const Schedule& schedule, const Step& step) {
  for (const QuantityRow& row : quantity_ledger()) {
    if (row.shape != QuantityShape::RowByHead && row.shape != QuantityShape::ColByHead) continue;
    const Made* const made = made_by(row_of(schedule.problem()), step, row.id);
    if (made && std::any_of(made->from.begin(), made->from.end(), [](const MadeFrom& from) {
          return from.quantity && ledger_row(*from.quantity).shape == QuantityShape::Cell;
        }))
      return true;
  }
  return false;
}

bool shrinks_output(const Schedule& schedule, const Step& step) {
  const Made* const made = made_by(row_of(schedule.problem()), step, Quantity::O);
  return made && shrinks_by_alpha(*made);
}

PresentTable output_table(const Schedule& schedule, const SeenState& seen, const ShownTile& shown, int most_rows,
                          std::int64_t spoken, bool with_alpha) {
  const State& state = seen.state();
  const std::int64_t d = schedule.problem().shape.d;
  PresentTable table;
  const float largest = build_o_tile_model(schedule, state, 1, 1, 1, shown.quantity).largest;
  const std::string sum = state.started ? sum_title(schedule, state.step, shown) : "";
  table.title = !sum.empty() ? sum
                : shown.quantity == shown_tile(schedule, state).quantity
                    ? build_o_tile_model(schedule, state, 1, 1).title
                    : fmt::format("Gradient of {}, tile {}", name_of(shown.tensor) + 1, shown.tile);
  table.output = true;
  if (!shown.values || shown.values->empty()) return table;
  const ShownSpan rows = around(std::max<std::int64_t>(0, spoken), most_rows, shown.rows);
  const std::int64_t cols = std::min<std::int64_t>(d, with_alpha ? kBesideAlpha : kOutputColumns);
  if (cols < d) table.title += fmt::format(" · {} of {} columns", cols, format_count(d));
  table.columns.push_back("row");
  if (with_alpha) {
    table.alpha_column = int(table.columns.size());
    table.columns.push_back(ledger_row(Quantity::Alpha).letter);
  }
  table.first_head = table.columns.size();
  for (std::int64_t c = 0; c < cols; ++c) table.columns.push_back(std::to_string(c));
  table.quantities.resize(table.columns.size(), shown.quantity);
  if (with_alpha) table.quantities[std::size_t(table.alpha_column)] = Quantity::Alpha;
  for (std::int64_t r = rows.begin; r < rows.begin + rows.count; ++r) {
    PresentTableRow row{shown.row_begin + r,
                        {std::to_string(shown.row_begin + r)},
                        r == spoken && names_spoken_row(schedule.problem(), state),
                        false,
                        false,
                        -1,
                        {}};
    if (with_alpha) {
      const bool known = std::size_t(r) < state.alpha.size() && !seen.hides(Quantity::Alpha, std::size_t(r));
      row.cells.push_back(known ? format_value(schedule.problem(), state.alpha[std::size_t(r)]) : "");
      row.rescaled = known && state.alpha[std::size_t(r)] < 1;
    }
    row.shades.resize(row.cells.size(), 0);
    for (std::int64_t c = 0; c < cols; ++c) {
      const std::size_t at = std::size_t(r * d + c);
      const bool hidden = seen.hides(shown.quantity, at);
      row.cells.push_back(hidden ? "" : format_value(schedule.problem(), (*shown.values)[at]));
      row.shades.push_back(hidden || largest <= 0 ? 0 : (*shown.values)[at] / largest);
    }
    table.rows.push_back(std::move(row));
  }
  return table;
}

void put_question_mark(PresentTable& table, std::int64_t of_row, std::int64_t head_col) {
  for (PresentTableRow& row : table.rows) {
    const std::size_t at = table.first_head + std::size_t(head_col);
    if (row.row != of_row || at >= row.cells.size()) continue;
    row.cells[at] = "?";
    row.asked = int(at);
  }
}

PresentTable output_table(const Schedule& schedule, const SeenState& seen, int most_rows, std::int64_t spoken,
                          bool with_alpha) {
  return output_table(schedule, seen, shown_tile(schedule, seen.state()), most_rows, spoken, with_alpha);
}

std::optional<ShownTile> other_gradient(const Schedule& schedule, const State& state) {
  if (!state.started || state.step.in_visit()) return std::nullopt;
  ShownTile shown = shown_tile(schedule, state);
  for (const Quantity result : results_of(row_of(schedule.problem()))) {
    const QuantityRow& row = ledger_row(result);
    if (result == shown.quantity || row.shape != ledger_row(shown.quantity).shape || !row.tensor || !row.values)
      continue;
    if (shown.quantity == Quantity::O || (state.*row.values).size() < std::size_t(shown.rows)) continue;
    shown.quantity = result, shown.tensor = *row.tensor, shown.values = &(state.*row.values);
    return shown;
  }
  return std::nullopt;
}

namespace {

void drop_column(PresentTable& table, std::size_t c) {
  const auto at = std::ptrdiff_t(c);
  if (c < table.columns.size()) table.columns.erase(table.columns.begin() + at);
  if (c < table.quantities.size()) table.quantities.erase(table.quantities.begin() + at);
  for (PresentTableRow& row : table.rows)
    if (c < row.cells.size()) row.cells.erase(row.cells.begin() + at);
}

bool is_known(const PresentTable& table, std::size_t c) {
  return std::any_of(table.rows.begin(), table.rows.end(), [&](const PresentTableRow& row) {
    return c < row.cells.size() && !row.cells[c].empty() && row.cells[c] != "·";
  });
}

// True if a phase of the step's pass makes one number a row, such as D.
bool makes_numbers_of_rows(const Schedule& schedule, const Step& step) {
  for (const QuantityRow& row : quantity_ledger())
    if (row.shape == QuantityShape::Row)
      for (const MadeAt& at : phases_that_make(schedule, row.id))
        if (at.section == step.section) return true;
  return false;
}

}  // namespace

void drop_unknown_columns(const Schedule& schedule, const State& state, PresentTable& table, PresentTable* moving) {
  if (!state.started || state.step.in_visit() || !makes(row_of(schedule.problem()), Quantity::DQ)) return;
  std::vector<std::size_t> unknown;
  for (std::size_t c = table.columns.size(); c-- > 1;)
    if (!is_known(table, c)) unknown.push_back(c);
  if (unknown.empty()) return;
  if (unknown.size() + 1 == table.columns.size()) {           // nothing is known
    if (makes_numbers_of_rows(schedule, state.step)) return;  // it is to come
    table = {};
    if (moving) *moving = {};
    return;
  }
  for (const std::size_t c : unknown) {
    drop_column(table, c);
    if (moving) drop_column(*moving, c);
  }
  table.title = fmt::format("{} of each row", fmt::join(table.columns.begin() + 1, table.columns.end(), " and "));
  if (moving) moving->title = table.title;
}

}  // namespace tilewalk
