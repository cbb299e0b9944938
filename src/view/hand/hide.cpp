#include "view/hand/hide.h"

#include <algorithm>

namespace tilewalk {
namespace {

bool is_of_cells(const HandField& field) { return ledger_row(field.place.quantity).shape == QuantityShape::Cell; }

}  // namespace

void add_asked_columns(SoftmaxModel& model, const HandController& hand) {
  for (const HandField& field : hand.fields()) {
    const QuantityRow& quantity = ledger_row(field.place.quantity);
    if (quantity.shape != QuantityShape::Row && quantity.shape != QuantityShape::RowBySplit) continue;
    const HandPlace column{quantity.id, 0, field.place.col};
    if (std::find(model.asked.begin(), model.asked.end(), column) != model.asked.end()) continue;
    const std::string split = field.place.col < 0 ? "" : std::to_string(field.place.col + 1);
    model.asked.resize(model.columns.size());
    model.asked.push_back(column);
    model.columns.push_back(quantity.letter + split);
    model.new_columns.push_back(int(model.columns.size()) - 1);
    for (SoftmaxRow& row : model.rows) row.cells.emplace_back(), row.brief.emplace_back(), row.hidden.push_back(false);
  }
}

void hide(SoftmaxModel& model, const HandController& hand) {
  if (!hand.hides()) return;
  model.sentence = kSentenceWaits;
  for (SoftmaxRow& row : model.rows)
    row.spoken = std::any_of(hand.fields().begin(), hand.fields().end(),
                             [&](const HandField& field) { return field.place.row == row.row; });
}

CheckReport without_values(CheckReport check) {
  if (check.first) check.first->expected.reset(), check.first->got.reset();
  return check;
}

std::optional<Quantity> cells_wanted(const Session& session) {
  const HandController& hand = session.hand();
  if (hand.focused() && is_of_cells(*hand.focused())) return hand.focused()->place.quantity;
  if (session.walk().cells()) return session.walk().cells();
  for (const HandField& field : hand.fields())
    if (is_of_cells(field) && !field.stands()) return field.place.quantity;
  return std::nullopt;
}

InspectorModel inspected_cell(const Session& session, std::int64_t row, std::int64_t col, Quantity shown) {
  return build_inspector_model(session.schedule(), session.inputs(), session.hand().seen(), row, col, shown);
}

InspectorModel inspected_output(const Session& session, std::int64_t row, std::int64_t col) {
  return build_output_inspector(session.schedule(), session.inputs(), session.hand().seen(), row, col);
}

}  // namespace tilewalk
