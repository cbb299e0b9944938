#include <algorithm>
#include <cmath>

#include "ui/panels/panels.h"
#include "view/walk/inspector_model.h"
#include "view/units.h"

namespace tilewalk {
namespace {

ImU32 cell_fill(const Palette& c, const TileGridModel& g, const GridCell& cell, bool now) {
  if (cell.masked && !std::isfinite(cell.value)) return c.masked;
  const ImU32 colour = viridis((cell.value - g.low) / (g.high - g.low));
  return now ? colour : mix(colour, c.panel, c.dark ? 0.45f : 0.35f);
}

void draw_tile(const UiFrame& f, Panel& p, const TileGridModel& g, const GridTile& t, const draw::Rect& area) {
  const float s = p.s;
  const draw::Rect r{area.x0 + t.x0, area.y0 + t.y0, area.x0 + t.x1, area.y0 + t.y1};
  if (t.state == TileState::Skipped) {
    draw::box(p.list, r, p.colours.hatch_fill, 4 * s, p.colours.cell_line);
    draw::hatch(p.list, r.inset(1), p.colours.hatch, 8 * s, 2 * s);
    const float w = draw::text_width(p.fonts.body, "skipped");
    if (r.width() > w + 12 * s && r.height() > 24 * s) {
      const float cx = (r.x0 + r.x1) / 2, cy = (r.y0 + r.y1) / 2;
      draw::box(p.list, {cx - w / 2 - 5 * s, cy - 10 * s, cx + w / 2 + 5 * s, cy + 10 * s}, p.colours.hatch_fill,
                4 * s);
      draw::text_in(p.list, p.fonts.body, r, p.colours.muted, "skipped");
    }
    return;
  }
  const bool now = t.state == TileState::Now;
  const float w = r.width() / float(t.cols), h = r.height() / float(t.rows);
  const float gap = std::min(w, h) > 14 ? std::max(1.0f, s) : std::min(w, h) > 5 ? 0.5f : 0.0f;
  const float round = std::min(w, h) > 14 ? 2 * s : 0;
  const Font* font = nullptr;
  const float need = draw::text_width(p.fonts.mono_small, "−0.00") + 9 * s,
              need_tiny = draw::text_width(p.fonts.tiny, "−0.00") + 3 * s;
  if (w >= (now ? need : need * 1.25f) && h >= p.fonts.mono_small.size + 2)
    font = &p.fonts.mono_small;
  else if (now && w >= need_tiny && h >= p.fonts.tiny.size + 2)
    font = &p.fonts.tiny;
  const bool one_digit = !font && now && w >= draw::text_width(p.fonts.tiny, "−0.0") + 2 && h >= p.fonts.tiny.size + 2;
  if (one_digit) font = &p.fonts.tiny;
  for (std::int64_t i = 0; i < t.rows; ++i)
    for (std::int64_t j = 0; j < t.cols; ++j) {
      const GridCell& cell = g.cells[t.first_cell + std::size_t(i * t.cols + j)];
      draw::Rect c{r.x0 + float(j) * w + gap, r.y0 + float(i) * h + gap, r.x0 + float(j + 1) * w - gap,
                   r.y0 + float(i + 1) * h - gap};
      if (gap >= 1)  // whole pixels, for even borders
        c = {std::round(c.x0), std::round(c.y0), std::round(c.x1), std::round(c.y1)};
      if (!cell.known) {
        if (cell.masked)
          draw::box(p.list, c, p.colours.masked, round);
        else
          draw::box(p.list, c, p.colours.panel, round, p.colours.cell_line);
        continue;
      }
      const ImU32 fill = cell_fill(p.colours, g, cell, now);
      draw::box(p.list, c, fill, round);
      const bool hidden = cell.masked && !std::isfinite(cell.value);
      if (hidden && std::min(w, h) > 9 * s) {
        const float dot = std::round(3 * s), x = std::round((c.x0 + c.x1 - dot) / 2),
                    y = std::round((c.y0 + c.y1 - dot) / 2);
        draw::box(p.list, {x, y, x + dot, y + dot}, p.colours.faint, 0);
      } else if (font && !hidden) {
        draw::text_in(p.list, *font, c, ink_on(fill),
                      one_digit ? signed_number(cell.value, 1) : compact_number(cell.value));
      }
    }
  (void)f;
}

void draw_bars(Panel& p, const TileGridModel& g, const draw::Rect& area) {
  const float s = p.s;
  const auto fill_of = [&](TensorId id, bool now) {
    return now ? hue(p.colours, id) : mix(hue(p.colours, id), p.colours.panel, p.colours.dark ? 0.70f : 0.55f);
  };
  const float top = area.y0 + float(g.y0) - 22 * s, left = area.x0 + float(g.x0) - 31 * s;
  for (const GridBar& bar : g.col_bars) {
    const draw::Rect r{area.x0 + bar.begin, top, area.x0 + bar.end, top + 16 * s};
    const ImU32 fill = fill_of(TensorId::K, bar.now);
    draw::box(p.list, r, fill, 3 * s);
    const std::string narrow = bar.label.substr(0, bar.label.find(' '));
    for (const std::string& label : {bar.label, narrow})
      if (!label.empty() && draw::text_width(p.fonts.caption, label) + 6 * s <= r.width()) {
        draw::text_in(p.list, p.fonts.caption, r, bar.now ? ink_on(fill) : mix(ink_on(fill), fill, 0.3f), label);
        break;
      }
  }
  for (const GridBar& bar : g.row_bars) {
    const draw::Rect r{left, area.y0 + bar.begin, left + 26 * s, area.y0 + bar.end};
    const ImU32 fill = fill_of(TensorId::Q, bar.now);
    draw::box(p.list, r, fill, 3 * s);
    const Font& font = draw::text_width(p.fonts.caption, bar.label) <= r.width() - 1 ? p.fonts.caption : p.fonts.tiny;
    if (!bar.label.empty() && r.height() >= font.size + 2 && draw::text_width(font, bar.label) <= r.width() + 2 * s)
      draw::text_in(p.list, font, r, bar.now ? ink_on(fill) : mix(ink_on(fill), fill, 0.3f), bar.label);
  }
}

// Returns where it begins.
float draw_legend(Panel& p) {
  const float s = p.s, size = 9 * s;
  float x = p.x + p.width;
  const char* names[] = {"to do", "skipped", "masked", "now", "done"};
  const float title_end = p.x + p.width * 0.55f;
  for (int i = 0; i < 5; ++i) {
    const float w = draw::text_width(p.fonts.tiny, names[i]) + size + 5 * s;
    if (x - w < title_end) break;
    const draw::Rect r{x - size, p.y + 2 * s, x, p.y + 2 * s + size};
    if (i == 0) draw::box(p.list, r, 0, 1.5f * s, p.colours.faint);
    if (i == 1)
      draw::box(p.list, r, 0, 1.5f * s, p.colours.faint), draw::hatch(p.list, r, p.colours.faint, 4 * s, 1.2f * s);
    if (i == 2)
      draw::box(p.list, r, p.colours.masked, 1.5f * s, p.colours.cell_line),
          draw::box(p.list, r.inset(size * 0.36f), p.colours.faint, 0);
    if (i == 3) draw::box(p.list, r, 0, 1.5f * s, p.colours.now_line, 1.8f * s);
    if (i == 4) draw::box(p.list, r, mix(viridis(0.55f), p.colours.panel, 0.35f), 1.5f * s);
    draw::text(p.list, p.fonts.tiny, x - w, p.y + 1 * s, p.colours.muted, names[i]);
    x -= w + 12 * s;
  }
  return x;
}

void draw_scale(Panel& p, const TileGridModel& g, float y, float right) {
  const float s = p.s, wide = std::min(120 * s, (right - p.x) * 0.5f);
  if (wide < 24 * s) return;
  const float x = p.x;
  for (int i = 0; i < 24; ++i)
    draw::box(p.list, {x + wide * float(i) / 24, y + 3 * s, x + wide * float(i + 1) / 24 + 0.5f, y + 11 * s},
              viridis((float(i) + 0.5f) / 24), 0);
  const float text_x = x + wide + 10 * s;
  if (text_x + draw::text_width(p.fonts.mono_small, g.scale_text) < right)
    draw::text(p.list, p.fonts.mono_small, text_x, y, p.colours.muted, g.scale_text);
}

}  // namespace

void draw_tile_grid_panel(const UiFrame& f) {
  Panel p("scores", f.layout.grid, f.theme, false);
  const TileGridModel& g = f.views.grid;
  const draw::Rect area = grid_area(f.layout.grid, f.theme);
  draw::caption(p.list, f.theme, p.x, p.y, g.title, draw_legend(p) - p.x);
  if (area.width() < 8 || area.height() < 8) return;

  const draw::Rect matrix{area.x0 + float(g.x0), area.y0 + float(g.y0), area.x0 + float(g.x1), area.y0 + float(g.y1)};
  draw_bars(p, g, area);
  p.list->PushClipRect(ImVec2(matrix.x0 - 3, matrix.y0 - 3), ImVec2(matrix.x1 + 3, matrix.y1 + 3), true);
  if (g.cells_drawn) {
    for (const GridTile& tile : g.tiles) draw_tile(f, p, g, tile, area);
  } else if (f.host.heat_map) {
    const int w = int(std::lround(matrix.width())), h = int(std::lround(matrix.height()));
    if (w > 0 && h > 0) {
      // Pixel for pixel, or lines would be lost between them.
      const ImVec2 corner(std::round(matrix.x0), std::round(matrix.y0));
      draw_image(p.list, f.host.heat_map(g, w, h, p.colours), corner, ImVec2(corner.x + float(w), corner.y + float(h)),
                 ImVec2(0, 1), ImVec2(1, 0));
    }
  }
  if (g.now_x1 > g.now_x0) {
    draw::Rect now{area.x0 + g.now_x0, area.y0 + g.now_y0, area.x0 + g.now_x1, area.y0 + g.now_y1};
    const float least = 6 * p.s;  // a tile of a huge matrix is a point: give it a ring that can be seen
    if (now.width() < least) now.x0 = (now.x0 + now.x1 - least) / 2, now.x1 = now.x0 + least;
    if (now.height() < least) now.y0 = (now.y0 + now.y1 - least) / 2, now.y1 = now.y0 + least;
    draw::box(p.list, now, 0, 5 * p.s, p.colours.now_line, 2.2f * p.s);
  }
  if (const auto& selection = f.session.walk().selection(); selection && g.cell_w > 0) {
    const float x = float((double(selection->col) - g.col0) * g.cell_w),
                y = float((double(selection->row) - g.row0) * g.cell_h);
    const draw::Rect r{matrix.x0 + x, matrix.y0 + y, matrix.x0 + x + std::max(4.0f, float(g.cell_w)),
                       matrix.y0 + y + std::max(4.0f, float(g.cell_h))};
    draw::box(p.list, r, 0, 2 * p.s, p.colours.accent, 2 * p.s);
  }
  p.list->PopClipRect();

  const GridView& view = f.session.walk().grid_view();
  const Problem& problem = f.session.problem();
  const Hit h = hit("matrix", matrix, f.theme);
  const ImGuiIO& io = ImGui::GetIO();
  std::int64_t row = 0, col = 0;
  if (h.hovered && g.cell_at(io.MousePos.x - area.x0, io.MousePos.y - area.y0, row, col)) {
    if (io.MouseWheel != 0) {
      const double zoom = std::clamp(view.zoom * std::pow(1.25, double(io.MouseWheel)), 1.0,
                                     double(std::max(problem.shape.n_q, problem.shape.n_kv)));
      // The place under the pointer stays under it.
      const double k = view.zoom / zoom;
      const double fr = (g.row0 + (io.MousePos.y - matrix.y0) / g.cell_h) / double(problem.shape.n_q),
                   fc = (g.col0 + (io.MousePos.x - matrix.x0) / g.cell_w) / double(problem.shape.n_kv);
      const double cr = (g.row0 + g.row1) / 2 / double(problem.shape.n_q), cc = (g.col0 + g.col1) / 2 / double(problem.shape.n_kv);
      f.push(SetGridView{zoom, fr + (cr - fr) * k, fc + (cc - fc) * k});
    }
    if (!h.held) {
      const InspectorModel inspector =
          build_inspector_model(f.session.schedule(), f.session.inputs(), f.session.state(), row, col);
      std::string text = inspector.value + "\n" + inspector.place;
      for (const std::string& line : inspector.from) text += "\n" + line;
      for (const std::string& line : inspector.goes) text += "\n" + line;
      tooltip(f.theme, text);
      if (g.cells_drawn) {
        const float x = matrix.x0 + float((double(col) - g.col0) * g.cell_w),
                    y = matrix.y0 + float((double(row) - g.row0) * g.cell_h);
        draw::box(p.list, {x, y, x + float(g.cell_w), y + float(g.cell_h)}, 0, 2 * p.s, p.colours.text, 1.5f);
      }
    }
  }
  const ImVec2 drag = ImGui::GetMouseDragDelta(0, 4);
  const bool dragged = drag.x != 0 || drag.y != 0;
  if (h.held && dragged && view.zoom > 1 && (io.MouseDelta.x != 0 || io.MouseDelta.y != 0)) {
    const double cr = (g.row0 + g.row1) / 2 - io.MouseDelta.y / g.cell_h,
                 cc = (g.col0 + g.col1) / 2 - io.MouseDelta.x / g.cell_w;
    f.push(SetGridView{view.zoom, cr / double(problem.shape.n_q), cc / double(problem.shape.n_kv)});
  }
  if (h.clicked && !dragged && g.cell_at(io.MousePos.x - area.x0, io.MousePos.y - area.y0, row, col)) {
    const auto& selection = f.session.walk().selection();
    if (selection && selection->row == row && selection->col == col)
      f.push(Action::SelectNothing);
    else
      f.push(SelectCell{row, col});
  }

  const float foot = p.rect.y1 - 24 * p.s;
  float right = p.x + p.width;
  const auto small_button = [&](const char* label, Action id, const char* help) {
    const float w = draw::text_width(p.fonts.tiny, label) + 16 * p.s;
    const draw::Rect r{right - w, foot - 3 * p.s, right, foot + 15 * p.s};
    const Hit on = hit(label, r, f.theme);
    draw::box(p.list, r, on.hovered ? p.colours.button_hover : p.colours.button, 4 * p.s);
    draw::text_in(p.list, p.fonts.tiny, r, p.colours.text, label);
    if (on.clicked) f.push(id);
    if (on.hovered) tooltip(f.theme, help);
    right = r.x0 - 6 * p.s;
  };
  small_button("whole", Action::ZoomFit, "The whole matrix (0)");
  small_button("tile", Action::ZoomToTile, "Zoom to the tile at hand (X)");
  small_button("+", Action::ZoomIn, "Zoom in (Z, or the wheel)");
  small_button("−", Action::ZoomOut, "Zoom out (Shift+Z, or the wheel)");
  draw_scale(p, g, foot, right);
  // Several heads: which one is in view, and the ones beside it.
  const std::int64_t heads = problem.shape.heads * problem.shape.batch,
                     here = f.session.walk().batch_in_view() * problem.shape.heads + f.session.walk().head_in_view();
  if (heads > 1) {
    right -= 8 * p.s;
    const auto go = [&](std::int64_t head) {
      f.push(GoToHead{head / problem.shape.heads, head % problem.shape.heads});
    };
    const std::string name = (problem.shape.batch > 1 ? "batch " + std::to_string(f.session.walk().batch_in_view()) + " · " : "") +
                             "head " + std::to_string(f.session.walk().head_in_view());
    const float w = draw::text_width(p.fonts.tiny, name) + 40 * p.s;
    const draw::Rect chip{right - w, foot - 3 * p.s, right, foot + 15 * p.s};
    if (chip.x0 > p.x + p.width * 0.35f) {
      draw::box(p.list, chip, p.colours.button, 4 * p.s);
      draw::text_in(p.list, p.fonts.tiny, chip, p.colours.text, name);
      const Hit back = hit("head before", {chip.x0, chip.y0, chip.x0 + 18 * p.s, chip.y1}, f.theme);
      const Hit on = hit("head after", {chip.x1 - 18 * p.s, chip.y0, chip.x1, chip.y1}, f.theme);
      draw::text(p.list, p.fonts.tiny, chip.x0 + 6 * p.s, foot - 1 * p.s, here > 0 ? p.colours.text : p.colours.faint,
                 "←");
      draw::text_right(p.list, p.fonts.tiny, chip.x1 - 6 * p.s, foot - 1 * p.s,
                       here + 1 < heads ? p.colours.text : p.colours.faint, "→");
      if (back.clicked && here > 0) go(here - 1);
      if (on.clicked && here + 1 < heads) go(here + 1);
      if (back.hovered || on.hovered) tooltip(f.theme, "To the first step of the head beside this one");
    }
  }
}

}  // namespace tilewalk
