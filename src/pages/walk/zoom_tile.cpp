#include "pages/walk/zoom_tile.h"

#include <algorithm>
#include <cmath>

#include "core/problem/format_value.h"
#include "core/replay/replay.h"
#include "view/scores/score_sample.h"
#include "view/sentence/named_cell.h"

namespace tilewalk {
namespace {

constexpr int kMostProducts = 8;  // products that are printed one by one

std::int64_t tile_begin(std::int64_t tile, std::int64_t size, std::int64_t count) {
  return std::clamp<std::int64_t>(tile * size, 0, std::max<std::int64_t>(0, count - 1));
}

void choose_score(ZoomTile& out, const Problem& p, const State& state) {
  const Band band = p.shape.band();
  NamedCell named = named_cell(p, state);
  const std::int64_t br = p.tiling.br, bc = p.tiling.bc;
  if (state.started) {
    out.tile_row = tile_begin(std::max<std::int64_t>(0, state.step.q_tile), br, p.shape.n_q);
    out.tile_col = tile_begin(std::max<std::int64_t>(0, state.step.kv_tile), bc, p.shape.n_kv);
  }
  const std::int64_t row_end = std::min(out.tile_row + br, p.shape.n_q),
                     col_end = std::min(out.tile_col + bc, p.shape.n_kv);
  const auto is_in_tile = [](std::int64_t at, std::int64_t begin, std::int64_t end) { return at >= begin && at < end; };
  out.row = is_in_tile(named.row, out.tile_row, row_end) ? named.row : out.tile_row;
  if (is_in_tile(named.col, out.tile_col, col_end) && band.allows(out.row, named.col)) return void(out.col = named.col);
  for (std::int64_t row : {out.row, row_end - 1, out.tile_row})
    for (std::int64_t col = col_end; col-- > out.tile_col;)
      if (band.allows(row, col)) return void((out.row = row, out.col = col));
  out.col = out.tile_col;
}

// A cell of a large tile has the score in the middle of its block.
void add_cells(ZoomTile& out, const Inputs& inputs, const HeadId& head, const SeenState& seen) {
  const Problem& p = inputs.problem();
  const std::int64_t row_end = std::min(out.tile_row + p.tiling.br, p.shape.n_q),
                     col_end = std::min(out.tile_col + p.tiling.bc, p.shape.n_kv);
  out.tile_rows = row_end - out.tile_row, out.tile_cols = col_end - out.tile_col;
  out.rows = std::min<std::int64_t>(kMostZoomCells, out.tile_rows);
  out.cols = std::min<std::int64_t>(kMostZoomCells, out.tile_cols);
  const bool each = out.rows == out.tile_rows && out.cols == out.tile_cols;
  const std::vector<std::int64_t> rows = spread(double(out.tile_row), double(row_end), int(out.rows), p.shape.n_q),
                                  cols = spread(double(out.tile_col), double(col_end), int(out.cols), p.shape.n_kv);
  std::vector<float> values;
  if (each) {
    values = scores_of(inputs, {head, out.tile_row, row_end, out.tile_col, col_end});
    for (float& value : values) value = display_score(p, value);
  } else {
    values = sample_scores(inputs, head, rows, cols);
  }
  const Band band = p.shape.band();
  for (std::int64_t i = 0; i < out.rows; ++i)
    for (std::int64_t j = 0; j < out.cols; ++j) {
      const std::int64_t row = rows[std::size_t(i)], col = cols[std::size_t(j)];
      ZoomCell cell{values[std::size_t(i * out.cols + j)], !band.allows(row, col), seen.hides_score(row, col)};
      if (cell.hidden) cell.value = 0;
      out.cells.push_back(cell);
    }
}

}  // namespace

ZoomTile build_zoom_tile(const Session& session) {
  const Problem& p = session.problem();
  const SeenState seen = session.hand().seen();
  const State& state = seen.state();
  const HeadId head = state.started ? HeadId{state.step.batch, state.step.head} : HeadId{};
  ZoomTile out;
  choose_score(out, p, state);
  const ScoreRange range = score_range(session.inputs(), head);
  out.low = range.low, out.high = range.high;
  add_cells(out, session.inputs(), head, seen);
  if (std::none_of(out.cells.begin(), out.cells.end(), [](const ZoomCell& cell) { return cell.hidden; }))
    out.low_text = signed_number(out.low), out.high_text = signed_number(out.high);
  if (seen.hides_score(out.row, out.col)) {
    out.value = "?";
  } else if (!p.shape.band().allows(out.row, out.col)) {
    out.value = signed_number(-INFINITY);
  } else {
    out.meeting = meeting_of_score(session.inputs(), head, out.row, out.col, kMostProducts);
    out.value = out.meeting->total.result;
  }
  return out;
}

}  // namespace tilewalk
