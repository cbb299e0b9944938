#include <algorithm>
#include <cmath>

#include "ui/panels/hand/hand_fields.h"
#include "ui/panels/panels.h"
#include "view/hand/hide.h"
#include "view/scores/scores_steering.h"
#include "view/units.h"

namespace tilewalk {
namespace {

ImU32 cell_fill(const Palette& c, const ScoresModel& g, const ScoreCell& cell, bool now) {
  if (cell.masked && !std::isfinite(cell.value)) return c.masked;
  const float low = now ? g.now_low : g.low, high = now ? g.now_high : g.high;
  const ImU32 colour = viridis((cell.value - low) / (high - low));
  return now ? colour : mix(colour, c.panel, c.dark ? 0.45f : 0.35f);
}

// Of the numbers that the tile at hand shows, the one of most signs.
std::string widest_number(const UiFrame& f, const ScoresModel& g, const ScoreTile& t) {
  std::string widest;
  for (std::int64_t i = 0; i < t.rows * t.cols; ++i) {
    const ScoreCell& cell = g.cells[t.first_cell + std::size_t(i)];
    if (!cell.known || !std::isfinite(cell.value)) continue;
    std::string text = paper_number(f.session.problem(), cell.value);
    if (text.size() > widest.size()) widest = std::move(text);
  }
  return widest;
}

HandQuantity asked_as(CellQuantity cells) {
  switch (cells) {
    case CellQuantity::S: return HandQuantity::S;
    case CellQuantity::P: return HandQuantity::P;
    case CellQuantity::DP: return HandQuantity::DP;
    case CellQuantity::DS: return HandQuantity::DS;
  }
  return HandQuantity::S;
}

void draw_tile(const UiFrame& f, Panel& p, const ScoresModel& g, const ScoreTile& t, const draw::Rect& area) {
  const float s = p.s;
  const draw::Rect r{area.x0 + t.x0, area.y0 + t.y0, area.x0 + t.x1, area.y0 + t.y1};
  if (t.state == TileState::Skipped) {
    draw::box(p.list, r, p.colours.hatch_fill, 4 * s, p.colours.cell_line);
    draw::hatch(p.list, r.inset(1), p.colours.hatch, 8 * s, 1 * s);
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
              need_tiny = draw::text_width(p.fonts.tiny, now ? widest_number(f, g, t) : "−0.00") + 3 * s;
  if (w >= (now ? need : need * 1.25f) && h >= p.fonts.mono_small.size + 2)
    font = &p.fonts.mono_small;
  else if (now && w >= need_tiny && h >= p.fonts.tiny.size + 2)
    font = &p.fonts.tiny;
  const bool one_digit = !font && now && w >= draw::text_width(p.fonts.tiny, "−0.0") + 2 && h >= p.fonts.tiny.size + 2;
  if (one_digit) font = &p.fonts.tiny;
  if (now && font) f.ui.rects.put("numbers", r);
  for (std::int64_t i = 0; i < t.rows; ++i)
    for (std::int64_t j = 0; j < t.cols; ++j) {
      const ScoreCell& cell = g.cells[t.first_cell + std::size_t(i * t.cols + j)];
      draw::Rect c{r.x0 + float(j) * w + gap, r.y0 + float(i) * h + gap, r.x0 + float(j + 1) * w - gap,
                   r.y0 + float(i + 1) * h - gap};
      if (gap >= 1)  // whole pixels, for even borders
        c = {std::round(c.x0), std::round(c.y0), std::round(c.x1), std::round(c.y1)};
      if (now && font && f.session.hand().on()) {
        const HandPlace asked{asked_as(g.shown), t.row_begin + i, t.col_begin + j};
        if (draw_hand_field(f, asked, c, *font)) continue;
      }
      if (!cell.known) {
        if (cell.masked)
          draw::box(p.list, c, p.colours.masked, round);
        else
          draw::box(p.list, c, p.colours.panel, round, p.colours.cell_line);
        continue;
      }
      const ImU32 fill = cell_fill(p.colours, g, cell, now);
      draw::box(p.list, c, fill, round, cell.wrong ? p.colours.bad : 0, 2 * p.s);
      const bool hidden = cell.masked && !std::isfinite(cell.value);
      if (hidden && std::min(w, h) > 9 * s) {
        const float dot = std::round(3 * s), x = std::round((c.x0 + c.x1 - dot) / 2),
                    y = std::round((c.y0 + c.y1 - dot) / 2);
        draw::box(p.list, {x, y, x + dot, y + dot}, p.colours.faint, 0);
      } else if (font && !hidden) {
        draw::text_in(p.list, *font, c, ink_on(fill),
                      one_digit ? signed_number(cell.value, 1) : paper_number(f.session.problem(), cell.value));
      }
    }
}

void draw_bars(Panel& p, const ScoresModel& g, const draw::Rect& area) {
  const float s = p.s;
  const auto fill_of = [&](TensorId id, bool now) {
    return now ? hue(p.colours, id) : mix(hue(p.colours, id), p.colours.panel, p.colours.dark ? 0.70f : 0.55f);
  };
  const float top = area.y0 + float(g.y0) - 22 * s, left = area.x0 + float(g.x0) - 31 * s;
  for (const ScoreBar& bar : g.col_bars) {
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
  for (const ScoreBar& bar : g.row_bars) {
    const draw::Rect r{left, area.y0 + bar.begin, left + 26 * s, area.y0 + bar.end};
    const ImU32 fill = fill_of(TensorId::Q, bar.now);
    draw::box(p.list, r, fill, 3 * s);
    const Font& font = draw::text_width(p.fonts.caption, bar.label) <= r.width() - 1 ? p.fonts.caption : p.fonts.tiny;
    if (!bar.label.empty() && r.height() >= font.size + 2 && draw::text_width(font, bar.label) <= r.width() + 2 * s)
      draw::text_in(p.list, font, r, bar.now ? ink_on(fill) : mix(ink_on(fill), fill, 0.3f), bar.label);
  }
}

// Borders of tiles that can be dragged: at the end of each bar. A border moves all those before it in step.
void drag_borders(const UiFrame& f, Panel& p, const ScoresModel& g, const draw::Rect& area) {
  const Tiling& tiling = f.session.problem().tiling;
  const Shape& shape = f.session.problem().shape;
  const ImVec2 mouse = ImGui::GetIO().MousePos;
  bool dragging = false;
  const auto border = [&](const ScoreBar& bar, bool query) {
    const std::int64_t end = (bar.tile + 1) * (query ? tiling.br : tiling.bc);
    if (end > (query ? shape.n_q : shape.n_kv) || double(end) > (query ? g.row1 : g.col1) + 1e-6) return;  // cut off
    const float at = (query ? area.y0 : area.x0) + bar.end, reach = 4 * p.s;
    const float top = area.y0 + float(g.y0) - 22 * p.s, left = area.x0 + float(g.x0) - 31 * p.s;
    const draw::Rect r = query ? draw::Rect{left, at - reach, left + 26 * p.s, at + reach}
                               : draw::Rect{at - reach, top, at + reach, top + 16 * p.s};
    const Hit h = hit(f, (query ? "Q border " : "K border ") + std::to_string(bar.tile), r);
    if (!h.hovered && !h.held) return;
    ImGui::SetMouseCursor(query ? ImGuiMouseCursor_ResizeNS : ImGuiMouseCursor_ResizeEW);
    draw::box(p.list,
              query ? draw::Rect{r.x0, at - 1.5f * p.s, r.x1, at + 1.5f * p.s}
                    : draw::Rect{at - 1.5f * p.s, r.y0, at + 1.5f * p.s, r.y1},
              p.colours.now_line, 0);
    if (!h.held) return tooltip(f.theme, query ? "Drag: rows of a Q tile" : "Drag: rows of a KV tile");
    dragging = true;
    const double cell = query ? g.row0 + double(mouse.y - area.y0 - float(g.y0)) / g.cell_h
                              : g.col0 + double(mouse.x - area.x0 - float(g.x0)) / g.cell_w;
    const std::int64_t size = std::max<std::int64_t>(1, std::llround(cell / double(bar.tile + 1)));
    const SetTiling asked{query ? size : tiling.br, query ? tiling.bc : size, f.ui.dragging_border};
    if ((query ? tiling.br : tiling.bc) == size || size == f.ui.border_asked) return;
    f.ui.border_asked = size;
    f.push(asked);
    f.ui.dragging_border = true;
  };
  for (const ScoreBar& bar : g.col_bars)
    if (!bar.label.empty()) border(bar, false);
  for (const ScoreBar& bar : g.row_bars)
    if (!bar.label.empty()) border(bar, true);
  if (!dragging && f.ui.border_asked != -1 && f.session.editing().too_large_by() > 0)
    f.push(SetTiling{tiling.br, tiling.bc});
  if (!dragging) f.ui.dragging_border = false, f.ui.border_asked = -1;
}

// Values of Q left of their rows and of K above their columns: what the products of the tile at hand are made of.
void draw_operands(const UiFrame& f, Panel& p, const ScoresModel& g, const draw::Rect& area) {
  const auto& selection = f.session.walk().selection();
  const auto cell = [&](const OperandTile& tile, const draw::Rect& r, std::int64_t row, std::int64_t x, bool chosen) {
    const ImU32 fill = mix(hue(p.colours, tile.tensor), p.colours.panel, chosen ? 0.45f : 0.75f);
    const draw::Rect inner{std::round(r.x0) + 1, std::round(r.y0) + 1, std::round(r.x1) - 1, std::round(r.y1) - 1};
    draw::box(p.list, inner, fill, 2 * p.s);
    // A digit less rather than no number.
    const float room = inner.width() + 2;
    const double value = tile.at(row, x);
    for (const std::string& text : {paper_number(f.session.problem(), value), signed_number(value, 1)}) {
      const Font& font = draw::text_width(p.fonts.mono_small, text) <= room ? p.fonts.mono_small : p.fonts.tiny;
      if (draw::text_width(font, text) > room) continue;
      draw::text_in(p.list, font, inner, ink_on(fill), text);
      break;
    }
  };
  const auto middle = [](double begin, double each, std::int64_t i) { return begin + each * (double(i) + 0.5); };
  const float wide = operand_width(f.theme), high = operand_height(f.theme);
  for (std::int64_t i = 0; i < g.q.rows; ++i) {
    const std::int64_t row = g.q.row_begin + i;
    const double y = middle(g.y0, g.cell_h, row) - g.row0 * g.cell_h;
    if (y < g.y0 || y > g.y1) continue;
    const float top = area.y0 + float(y) - std::min(high * 1.4f, float(g.cell_h)) / 2,
                left = area.x0 + float(g.x0) - 36 * p.s - wide * float(g.q.d);
    for (std::int64_t x = 0; x < g.q.d; ++x)
      cell(g.q, {left + float(x) * wide, top, left + float(x + 1) * wide, top + std::min(high * 1.4f, float(g.cell_h))},
           row, x, selection && selection->row == row);
  }
  for (std::int64_t i = 0; i < g.k.rows; ++i) {
    const std::int64_t col = g.k.row_begin + i;
    const double x0 = middle(g.x0, g.cell_w, col) - g.col0 * g.cell_w;
    if (x0 < g.x0 || x0 > g.x1) continue;
    const float w = std::min(wide * 1.3f, float(g.cell_w)), left = area.x0 + float(x0) - w / 2,
                top = area.y0 + float(g.y0) - 26 * p.s - high * float(g.k.d);
    for (std::int64_t x = 0; x < g.k.d; ++x)
      cell(g.k, {left, top + float(x) * high, left + w, top + float(x + 1) * high}, col, x,
           selection && selection->col == col);
  }
}

// S | P: what the tile at hand shows. Returns where it begins.
float draw_cell_choice(const UiFrame& f, Panel& p, const ScoresModel& g, float right, float foot) {
  if (g.choices.size() < 2) return right;
  const std::optional<CellQuantity>& asked = f.session.walk().cells();
  for (std::size_t i = g.choices.size(); i-- > 0;) {
    const CellQuantity quantity = g.choices[i];
    const char* label = name_of(quantity);
    const float w = draw::text_width(p.fonts.tiny, label) + 16 * p.s;
    const draw::Rect r{right - w, foot - 3 * p.s, right, foot + 15 * p.s};
    const bool shown = g.shown == quantity;
    if (chip(f, {.id = std::string("cells ") + label,
                 .rect = r,
                 .label = label,
                 .tip = shown && asked ? "Back to what the phase makes (N)" : "The tile at hand shows it (N)",
                 .font = p.fonts.tiny,
                 .ink = shown ? ink_on(p.colours.accent) : p.colours.text,
                 .fill = shown ? p.colours.accent : p.colours.button,
                 .hovered = shown ? p.colours.accent : p.colours.button_hover,
                 .rounding = 4 * p.s}))
      f.push(shown && asked ? ShowCells{} : ShowCells{quantity});
    right = r.x0 - 3 * p.s;
  }
  return right - 8 * p.s;
}

// Returns where it begins.
float draw_legend(const UiFrame& f, Panel& p) {
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
    explain(f, names[i], {x - w, p.y, x, p.y + 16 * s}, names[i]);
    x -= w + 12 * s;
  }
  return x;
}

void draw_scale(Panel& p, const ScoresModel& g, float y, float right) {
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

// Several heads: which one is in view, and the ones beside it.
void draw_head_choice(const UiFrame& f, Panel& p, const HeadChoice& heads, float right, float foot) {
  const float w = draw::text_width(p.fonts.tiny, heads.name) + 40 * p.s;
  const draw::Rect r{right - w, foot - 3 * p.s, right, foot + 15 * p.s};
  if (r.x0 <= p.x + p.width * 0.35f) return;
  draw::box(p.list, r, p.colours.button, 4 * p.s);
  draw::text_in(p.list, p.fonts.tiny, r, p.colours.text, heads.name);
  const Hit before = hit(f, "head before", {r.x0, r.y0, r.x0 + 18 * p.s, r.y1});
  const Hit after = hit(f, "head after", {r.x1 - 18 * p.s, r.y0, r.x1, r.y1});
  const auto ink = [&](bool there) { return there ? p.colours.text : p.colours.faint; };
  draw::text(p.list, p.fonts.tiny, r.x0 + 6 * p.s, foot - 1 * p.s, ink(heads.before.has_value()), "←");
  draw::text_right(p.list, p.fonts.tiny, r.x1 - 6 * p.s, foot - 1 * p.s, ink(heads.after.has_value()), "→");
  if (before.clicked && heads.before) f.push(*heads.before);
  if (after.clicked && heads.after) f.push(*heads.after);
  if (before.hovered || after.hovered) tooltip(f.theme, "To the first step of the head beside this one");
}

}  // namespace

void draw_scores_panel(const UiFrame& f, Panel& p) {
  const ScoresModel& g = f.views.walk->scores;
  const draw::Rect area = scores_area(f.layout.scores, f.theme);
  p.caption_at(p.x, p.y, g.title, draw_legend(f, p) - p.x);
  if (area.width() < 8 || area.height() < 8) return;

  const draw::Rect matrix{area.x0 + float(g.x0), area.y0 + float(g.y0), area.x0 + float(g.x1), area.y0 + float(g.y1)};
  draw_bars(p, g, area);
  drag_borders(f, p, g, area);
  draw_operands(f, p, g, area);
  p.list->PushClipRect(ImVec2(matrix.x0 - 3, matrix.y0 - 3), ImVec2(matrix.x1 + 3, matrix.y1 + 3), true);
  if (g.cells_drawn) {
    for (const ScoreTile& tile : g.tiles) draw_tile(f, p, g, tile, area);
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
    halo(f, p.list, "tile", now.inset(-3 * p.s));
  }
  if (const auto& selection = f.session.walk().selection(); selection && g.cell_w > 0) {
    const float x = float((double(selection->col) - g.col0) * g.cell_w),
                y = float((double(selection->row) - g.row0) * g.cell_h);
    const draw::Rect r{matrix.x0 + x, matrix.y0 + y, matrix.x0 + x + std::max(4.0f, float(g.cell_w)),
                       matrix.y0 + y + std::max(4.0f, float(g.cell_h))};
    draw::box(p.list, r, 0, 2 * p.s, p.colours.accent, 2 * p.s);
  }
  p.list->PopClipRect();

  const Hit h = hit(f, "matrix", matrix);
  const ImGuiIO& io = ImGui::GetIO();
  const double x = double(io.MousePos.x - area.x0), y = double(io.MousePos.y - area.y0);
  const ScoresSteering steering(f.session, g);
  std::int64_t row = 0, col = 0;
  if (h.hovered && g.cell_at(x, y, row, col)) {
    if (io.MouseWheel != 0) f.push(steering.zoom(x, y, double(io.MouseWheel)));
    if (!h.held) {
      tooltip(f.theme, words_of(inspected_cell(f.session, row, col, g.shown)));
      if (g.cells_drawn) {
        const float left = matrix.x0 + float((double(col) - g.col0) * g.cell_w),
                    top = matrix.y0 + float((double(row) - g.row0) * g.cell_h);
        draw::box(p.list, {left, top, left + float(g.cell_w), top + float(g.cell_h)}, 0, 2 * p.s, p.colours.text, 1.5f);
      }
    }
  }
  const ImVec2 drag = ImGui::GetMouseDragDelta(0, 4);
  const bool dragged = drag.x != 0 || drag.y != 0;
  if (h.held && dragged && (io.MouseDelta.x != 0 || io.MouseDelta.y != 0))
    if (const auto command = steering.pan(double(io.MouseDelta.x), double(io.MouseDelta.y))) f.push(*command);
  if (h.clicked && !dragged && g.cell_at(x, y, row, col)) f.push(steering.click(row, col));

  const float foot = p.rect.y1 - 24 * p.s;
  float right = p.x + p.width;
  const auto small_button = [&](const char* label, Action id, const char* help) {
    const float w = draw::text_width(p.fonts.tiny, label) + 16 * p.s;
    const draw::Rect r{right - w, foot - 3 * p.s, right, foot + 15 * p.s};
    const bool clicked = chip(f, {.id = label,
                                  .rect = r,
                                  .label = label,
                                  .tip = help,
                                  .font = p.fonts.tiny,
                                  .ink = p.colours.text,
                                  .fill = p.colours.button,
                                  .hovered = p.colours.button_hover,
                                  .rounding = 4 * p.s});
    if (clicked) f.push(id);
    right = r.x0 - 6 * p.s;
  };
  small_button("whole", Action::ZoomFit, "The whole matrix (0)");
  small_button("tile", Action::ZoomToTile, "Zoom to the tile at hand (X)");
  small_button("+", Action::ZoomIn, "Zoom in (Z, or the wheel)");
  small_button("−", Action::ZoomOut, "Zoom out (Shift+Z, or the wheel)");
  right = draw_cell_choice(f, p, g, right - 8 * p.s, foot);
  const float formula = draw::text_width(p.fonts.tiny, g.formula);
  if (!g.formula.empty() && right - formula > p.x + p.width * 0.4f) {
    draw::text_right(p.list, p.fonts.tiny, right, foot - 1 * p.s, p.colours.muted, g.formula);
    right -= formula + 12 * p.s;
  }
  draw_scale(p, g, foot, right);
  if (f.views.walk->heads) draw_head_choice(f, p, *f.views.walk->heads, right - 8 * p.s, foot);
  halo(f, p.list, "scores", {p.x, p.rect.y0 + 40 * p.s, p.x + p.width, foot - 8 * p.s});
}

}  // namespace tilewalk
