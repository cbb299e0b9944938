// The panel of the score matrix: its tiles, with dragging, clicking and zooming.
#include <algorithm>
#include <cmath>

#include "pages/walk/walk_page.h"
#include "ui/panels/motion/moving.h"
#include "ui/panels/scores/scores_parts.h"
#include "view/hand/hide.h"
#include "view/scores/scores_steering.h"

namespace tilewalk {
namespace {

struct BorderUi {
  std::int64_t asked = -1;  // the size of tile that the drag last requested
};

// Draggable borders of tiles, at the end of each bar. Dragging one moves all borders before it in proportion.
void drag_borders(const UiFrame& f, Panel& p, const ScoresModel& g, const draw::Rect& area) {
  const Tiling& tiling = f.session.problem().tiling;
  const Shape& shape = f.session.problem().shape;
  const ImVec2 mouse = ImGui::GetIO().MousePos;
  bool dragging = false;
  const auto border = [&](const ScoreBar& bar, bool query) {
    const std::int64_t end = (bar.tile + 1) * (query ? tiling.br : tiling.bc);
    const ScoresAxis& axis = query ? g.rows : g.cols;
    if (end > (query ? shape.n_q : shape.n_kv) || double(end) > axis.end + 1e-6) return;  // cut off
    const float at = (query ? area.y0 : area.x0) + float(axis.at(double(end))), reach = 4 * p.s;
    const draw::Rect head = query ? row_head(f.theme, g, bar, area) : column_head(f.theme, g, bar, area);
    const draw::Rect r = query ? draw::Rect{head.x0, at - reach, head.x1, at + reach}
                               : draw::Rect{at - reach, head.y0, at + reach, head.y1};
    // The whole border is a handle: its end at the heading, and the gap between the tiles.
    const std::string id = (query ? "Q border " : "K border ") + std::to_string(bar.tile);
    const float gap = 2.5f * p.s, x0 = area.x0 + float(g.x0), y0 = area.y0 + float(g.y0);
    Hit h = hit(f, id, r);
    if (bar.end - bar.begin >= 40 * p.s) {  // else the handles would leave no place to click a cell
      const Hit line = hit(f, id + " line",
                           query ? draw::Rect{x0, at - gap, area.x0 + float(g.x1), at + gap}
                                 : draw::Rect{at - gap, y0, at + gap, area.y0 + float(g.y1)});
      h.hovered |= line.hovered, h.held |= line.held;
    }
    if (!h.hovered && !h.held) return;
    ImGui::SetMouseCursor(query ? ImGuiMouseCursor_ResizeNS : ImGuiMouseCursor_ResizeEW);
    draw::box(p.list,
              query ? draw::Rect{r.x0, at - 1.5f * p.s, area.x0 + float(g.x1), at + 1.5f * p.s}
                    : draw::Rect{at - 1.5f * p.s, r.y0, at + 1.5f * p.s, area.y0 + float(g.y1)},
              p.colours.now_line, 0);
    if (!h.held) return tooltip(f, query ? "Drag: rows of a Q tile" : "Drag: rows of a KV tile");
    dragging = true;
    const double cell = axis.cell(double(query ? mouse.y - area.y0 : mouse.x - area.x0));
    const std::int64_t size = std::max<std::int64_t>(1, std::llround(cell / double(bar.tile + 1)));
    const SetTiling asked{query ? size : tiling.br, query ? tiling.bc : size, f.ui.dragging_border};
    if ((query ? tiling.br : tiling.bc) == size || size == f.ui.of<BorderUi>().asked) return;
    f.ui.of<BorderUi>().asked = size;
    f.push(asked);
    f.ui.dragging_border = true;
  };
  for (const ScoreBar& bar : g.col_bars)
    if (!bar.label.empty()) border(bar, false);
  for (const ScoreBar& bar : g.row_bars)
    if (!bar.label.empty()) border(bar, true);
  if (!dragging && f.ui.of<BorderUi>().asked != -1 && f.session.editing().too_large_by() > 0)
    f.push(SetTiling{tiling.br, tiling.bc});
  if (!dragging) f.ui.dragging_border = false, f.ui.of<BorderUi>().asked = -1;
}

// The visible part of the tile of a cell.
draw::Rect tile_rect(const Problem& p, const ScoresModel& g, const draw::Rect& area, std::int64_t row,
                     std::int64_t col) {
  const std::int64_t r0 = row / p.tiling.br * p.tiling.br, c0 = col / p.tiling.bc * p.tiling.bc;
  const draw::Rect all = cells_rect(g, area, r0, r0 + p.tiling.br, c0, c0 + p.tiling.bc);
  const float left = area.x0 + float(g.x0), right = area.x0 + float(g.x1), top = area.y0 + float(g.y0),
              low = area.y0 + float(g.y1);
  return {std::clamp(all.x0, left, right), std::clamp(all.y0, top, low), std::clamp(all.x1, left, right),
          std::clamp(all.y1, top, low)};
}

// The outline of the row that was explained, through all its tiles. It comes from where the explanation was.
void draw_explained_row(const UiFrame& f, Panel& p, const ScoresModel& g, const draw::Rect& area) {
  const std::optional<ExplainedRow>& at = f.views.page<WalkPage>()->explained;
  if (!at || g.rows.px <= 0) return;
  const float top = float(std::max(g.rows.at(double(at->row)), g.y0)),
              low = float(std::min(g.rows.at(double(at->row + 1)), g.y1));
  if (low <= top) return;
  const float s = p.s, by = 2.5f * s, right = area.x0 + float(g.x1) + by,
              left = area.x0 + float(g.x0);  // beside the rows' numbers, which are closer than the outline
  const draw::Rect place{left - by, area.y0 + top - by, right, area.y0 + low + by};
  const float way = f.ui.motion ? float(at->share) : 1;
  const auto between = [&](float from, float to) { return from + (to - from) * way; };
  const draw::Rect r{between(p.x, place.x0), between(area.y0, place.y0), between(p.x + p.width, place.x1),
                     between(area.y1, place.y1)};
  draw::box(p.list, r, 0, 4 * s, p.colours.accent, 2 * s);
  f.ui.rects.put("explained row", r);
  for (const ScoreTile& tile : g.tiles)  // the outline crosses no word
    if (g.gone && tile.state == TileState::Done && tile.row_begin <= at->row && at->row < tile.row_begin + tile.rows)
      draw_gone_word(
          f, p, tile,
          {area.x0 + float(tile.x0), area.y0 + float(tile.y0), area.x0 + float(tile.x1), area.y0 + float(tile.y1)});
  const ScoreTile* last = nullptr;  // of the row
  for (const ScoreTile& tile : g.tiles)
    if (tile.row_begin <= at->row && at->row < tile.row_begin + tile.rows && (!last || tile.x1 > last->x1))
      last = &tile;
  const float wide = draw::text_width(p.fonts.tiny, at->label) + 12 * s, high = draw::leading(p.fonts.tiny) + 4 * s;
  if (way < 1 || !last || last->state == TileState::Now || last->x1 - last->x0 < wide) return;
  const draw::Rect tag{r.x1 - wide, r.y1, r.x1, r.y1 + high};
  draw::box(p.list, tag, p.colours.accent, 3 * s);
  draw::text_in(p.list, p.fonts.tiny, tag, p.colours.accent_text, at->label);
  f.ui.rects.put("explained label", tag);
}

}  // namespace

void draw_scores_panel(const UiFrame& f, Panel& p) {
  const ScoresModel& g = f.views.page<WalkPage>()->scores;
  const draw::Rect area = scores_area(p.rect, f.theme);
  draw_scores_head(f, p, g);
  if (area.width() < 8 || area.height() < 8) return;

  const draw::Rect matrix{area.x0 + float(g.x0), area.y0 + float(g.y0), area.x0 + float(g.x1), area.y0 + float(g.y1)};
  draw_score_heads(f, p, g, area);
  drag_borders(f, p, g, area);
  draw_score_operands(f, p, g, area);
  draw_matrix_numbers(f, p, g, area);
  p.list->PushClipRect(ImVec2(matrix.x0 - 3, matrix.y0 - 3), ImVec2(matrix.x1 + 3, matrix.y1 + 3), true);
  if (g.cells_drawn) {
    const bool grey = !g.other_scale_text.empty() && !names_other_range(f, p, g);
    draw_other_tiles(f, p, g, area, grey);
  } else if (f.host.heat_map) {
    const int w = int(std::lround(matrix.width())), h = int(std::lround(matrix.height()));
    if (w > 0 && h > 0) {
      // At whole pixels: otherwise lines of texels would be lost.
      const ImVec2 corner(std::round(matrix.x0), std::round(matrix.y0));
      draw_image(p.list, f.host.heat_map(g, w, h, p.colours), corner, ImVec2(corner.x + float(w), corner.y + float(h)),
                 ImVec2(0, 1), ImVec2(1, 0));
    }
  }
  p.list->PopClipRect();
  draw_explained_row(f, p, g, area);
  p.list->PushClipRect(ImVec2(matrix.x0 - 3, matrix.y0 - 3), ImVec2(matrix.x1 + 3, matrix.y1 + 3), true);
  if (g.cells_drawn) draw_current_tile(f, p, g, area);
  draw_wrong_glow(f, p, g, area);
  if (g.now_x1 > g.now_x0) {
    draw::Rect now{area.x0 + g.now_x0, area.y0 + g.now_y0, area.x0 + g.now_x1, area.y0 + g.now_y1};
    const float least = 6 * p.s;  // a tile of a huge matrix is a point, so its ring has a minimum size
    if (now.width() < least) now.x0 = (now.x0 + now.x1 - least) / 2, now.x1 = now.x0 + least;
    if (now.height() < least) now.y0 = (now.y0 + now.y1 - least) / 2, now.y1 = now.y0 + least;
    draw::box(p.list, now, 0, 5 * p.s, p.colours.now_line, 2.2f * p.s);
    halo(f, p.list, "tile", now.inset(-3 * p.s));
    f.ui.tooltip.tile = now;
    f.ui.rects.put("current tile", now);
  }
  const auto cell_rect = [&](std::int64_t row, std::int64_t col) {
    const draw::Rect r = cells_rect(g, area, row, row + 1, col, col + 1);
    return draw::Rect{r.x0, r.y0, std::max(r.x1, r.x0 + 4), std::max(r.y1, r.y0 + 4)};
  };
  const auto& selection = f.session.walk().selection();
  if (selection && g.cols.px > 0)
    draw::box(p.list, cell_rect(selection->row, selection->col), 0, 2 * p.s, p.colours.accent, 2 * p.s);
  p.list->PopClipRect();
  const std::optional<LensPlace> lens = lens_of(g, area);
  if (lens) draw_score_lens(f, p, g, *lens, area);
  if (const std::optional<draw::Rect> place = arithmetic_place(f)) {
    draw_arithmetic(f, p.list, p.colours, *place, f.views.page<WalkPage>()->arithmetic);
    f.ui.rects.put("arithmetic", *place);
  }

  const Hit h = hit(f, "matrix", matrix);
  const ImGuiIO& io = ImGui::GetIO();
  const double x = double(io.MousePos.x - area.x0), y = double(io.MousePos.y - area.y0);
  const ScoresSteering steering(f.session, g);
  std::int64_t row = 0, col = 0;
  if (h.hovered && g.cell_at(x, y, row, col)) {
    if (io.MouseWheel != 0) f.push(steering.zoom(x, y, double(io.MouseWheel)));
    if (!h.held) {
      // The panel at the right already describes the selected cell.
      if (!selection || selection->row != row || selection->col != col)
        tooltip_beside(f, inspector_text(inspected_cell(f.session, row, col, g.shown)),
                       tile_rect(f.session.problem(), g, area, row, col));
      if (g.cells_drawn) draw::box(p.list, cell_rect(row, col), 0, 2 * p.s, p.colours.text, 1.5f);
    }
  }
  const ImVec2 drag = ImGui::GetMouseDragDelta(0, 4);
  const bool dragged = drag.x != 0 || drag.y != 0;
  if (h.held && dragged && (io.MouseDelta.x != 0 || io.MouseDelta.y != 0))
    if (const auto command = steering.pan(double(io.MouseDelta.x), double(io.MouseDelta.y))) f.push(*command);
  if (h.clicked && !dragged && g.cell_at(x, y, row, col)) f.push(steering.click(row, col));

  if (lens) {
    const Hit over = hit(f, "lens cells", lens->rect);
    const float wide = lens->rect.width() / float(lens->tile.cols), high = lens->rect.height() / float(lens->tile.rows);
    const auto index = [](float at, std::int64_t count) {
      return std::clamp<std::int64_t>(std::int64_t(at), 0, count - 1);
    };
    row = lens->tile.row_begin + index((io.MousePos.y - lens->rect.y0) / high, lens->tile.rows);
    col = lens->tile.col_begin + index((io.MousePos.x - lens->rect.x0) / wide, lens->tile.cols);
    if (over.hovered && (!selection || selection->row != row || selection->col != col)) {
      tooltip_beside(f, inspector_text(inspected_cell(f.session, row, col, g.shown)), lens->rect);
      draw::box(p.list, cell_rect(row, col), 0, 2 * p.s, p.colours.text, 1.5f);
    }
    if (over.clicked) f.push(steering.click(row, col));
  }
  draw_scores_foot(f, p, g);
  halo(f, p.list, "scores", {p.x - 5 * p.s, p.rect.y0 + 7 * p.s, p.x + p.width + 5 * p.s, area.y1 + p.s});
}

}  // namespace tilewalk
