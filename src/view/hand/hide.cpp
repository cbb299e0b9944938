#include "view/hand/hide.h"

#include <algorithm>
#include <cmath>

namespace tilewalk {
namespace {

bool tells_nothing(const std::string& text) {
  return text.find("NaN") != std::string::npos || text.find("not a number") != std::string::npos;
}

void drop_untold(std::vector<std::string>& lines) { std::erase_if(lines, tells_nothing); }

bool is_of_cells(const HandField& field) { return ledger_row(field.place.quantity).shape == QuantityShape::Cell; }

}  // namespace

void add_asked_columns(SoftmaxModel& model, const HandController& hand) {
  for (const HandField& field : hand.fields()) {
    const Quantity quantity = field.place.quantity;
    if (quantity != Quantity::Follow && quantity != Quantity::LogSum && quantity != Quantity::Weight) continue;
    const HandPlace column{quantity, 0, field.place.col};
    if (std::find(model.asked.begin(), model.asked.end(), column) != model.asked.end()) continue;
    const std::string split = field.place.col < 0 ? "" : std::to_string(field.place.col + 1);
    model.asked.resize(model.columns.size());
    model.asked.push_back(column);
    model.columns.push_back((quantity == Quantity::Follow ? "follow" : ledger_row(quantity).letter) + split);
    model.new_columns.push_back(int(model.columns.size()) - 1);
    for (SoftmaxRow& row : model.rows) row.cells.emplace_back(), row.brief.emplace_back();
  }
}

void hide(SoftmaxModel& model, const HandController& hand) {
  if (!hand.hides()) return;
  model.sentence = kSentenceWaits;
  for (SoftmaxRow& row : model.rows) {
    row.spoken = std::any_of(hand.fields().begin(), hand.fields().end(),
                             [&](const HandField& field) { return field.place.row == row.row; });
    for (std::size_t c = 1; c < row.cells.size(); ++c) {
      if (!tells_nothing(row.cells[c])) continue;
      row.cells[c].clear(), row.brief[c].clear();
      if (int(c) == model.alpha_column) row.rescaled = false;
    }
  }
}

void hide(ScoresModel& model, const HandController& hand) {
  if (!hand.hides()) return;
  for (const ScoreTile& tile : model.tiles)
    for (std::int64_t i = 0; i < tile.rows; ++i)
      for (std::int64_t j = 0; j < tile.cols; ++j) {
        ScoreCell& cell = model.cells[tile.first_cell + std::size_t(i * tile.cols + j)];
        const bool asked = hand.hidden(Quantity::S, tile.row_begin + i, tile.col_begin + j);
        const bool own = tile.state == TileState::Now;
        if (!std::isnan(cell.value) && (!asked || (own && model.shown != Quantity::S))) continue;
        cell.value = 0;
        cell.known = false;
        cell.hidden = true;
      }
  // The ends of a scale may be the very numbers that are asked for.
  if (!hand.hidden_answers().hides_cells(Quantity::S)) return;
  model.low = std::floor(model.low * 2 - 0.25f) / 2, model.high = std::ceil(model.high * 2 + 0.25f) / 2;
  if (model.shown == Quantity::S) {
    model.now_low = model.low, model.now_high = model.high;
    model.scale_text.clear();
  }
}

void hide(OTileModel& model) {
  model.hidden.assign(model.values.size(), false);
  for (std::size_t i = 0; i < model.values.size(); ++i)
    if (std::isnan(model.values[i])) model.values[i] = 0, model.hidden[i] = true;
}

void hide(InspectorModel& model, const HandController& hand, std::int64_t row, std::int64_t col) {
  if (!hand.hides()) return;
  const bool score_asked = col >= 0 && hand.hidden(Quantity::S, row, col);
  if (tells_nothing(model.value) || score_asked) model.value = "yours to find";
  if (score_asked) std::erase_if(model.from, [](const std::string& line) { return line.starts_with("S = "); });
  drop_untold(model.from);
  drop_untold(model.goes);
  drop_untold(model.working);
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
  InspectorModel model =
      build_inspector_model(session.schedule(), session.inputs(), session.hand().seen(), row, col, shown);
  hide(model, session.hand(), row, col);
  return model;
}

InspectorModel inspected_output(const Session& session, std::int64_t row, std::int64_t col) {
  InspectorModel model = build_output_inspector(session.schedule(), session.inputs(), session.hand().seen(), row, col);
  hide(model, session.hand(), row, -1);
  return model;
}

}  // namespace tilewalk
