#include "view/scores/scores_steering.h"

#include <algorithm>
#include <cmath>

namespace tilewalk {
namespace {

double middle(const ScoresAxis& axis) { return (axis.begin + axis.end) / 2; }

}  // namespace

Command ScoresSteering::zoom(double x, double y, double notches) const {
  const Shape& shape = session_.problem().shape;
  const double rows = double(shape.n_q), cols = double(shape.n_kv);
  // A view that follows the current tile is closer than the user's zoom.
  const double rows_shown = model_.rows.end - model_.rows.begin, cols_shown = model_.cols.end - model_.cols.begin;
  const double shown = std::min(rows / std::max(1.0, rows_shown), cols / std::max(1.0, cols_shown));
  const double before = std::max(session_.walk().grid_view().zoom, shown);
  const double zoom = std::clamp(before * std::pow(1.25, notches), 1.0, double(std::max(shape.n_q, shape.n_kv)));
  const double shrunk = before / zoom;
  const double row = model_.rows.cell(y) / rows, col = model_.cols.cell(x) / cols;
  const double centre_row = middle(model_.rows) / rows, centre_col = middle(model_.cols) / cols;
  return SetGridView{zoom, row + (centre_row - row) * shrunk, col + (centre_col - col) * shrunk};
}

std::optional<Command> ScoresSteering::pan(double by_x, double by_y) const {
  const double zoom = session_.walk().grid_view().zoom;
  if (zoom <= 1) return std::nullopt;
  const double row = middle(model_.rows) - by_y / model_.rows.px, col = middle(model_.cols) - by_x / model_.cols.px;
  const Shape& shape = session_.problem().shape;
  return SetGridView{zoom, row / double(shape.n_q), col / double(shape.n_kv)};
}

Command ScoresSteering::click(std::int64_t row, std::int64_t col) const {
  if (session_.walk().selection() == Selection{row, col}) return Action::SelectNothing;
  return SelectCell{row, col};
}

std::optional<HeadChoice> build_head_choice(const Session& session) {
  const Shape& shape = session.problem().shape;
  const std::int64_t heads = shape.heads * shape.batch;
  if (heads <= 1) return std::nullopt;
  const std::int64_t batch = session.walk().batch_in_view(), head = session.walk().head_in_view(),
                     here = batch * shape.heads + head;
  const auto go = [&](std::int64_t to) { return GoToHead{to / shape.heads, to % shape.heads}; };
  HeadChoice choice;
  choice.name = (shape.batch > 1 ? "batch " + std::to_string(batch) + " · " : "") + "head " + std::to_string(head);
  if (here > 0) choice.before = go(here - 1);
  if (here + 1 < heads) choice.after = go(here + 1);
  return choice;
}

}  // namespace tilewalk
