// The zoom out of one score: the picture, to scale, and beside it the figure of the current square and the list of all
// squares. In a panel that is not wide the words are above the picture, and there is no list.
#include <algorithm>
#include <cmath>

#include "pages/walk/walk_page.h"
#include "pages/walk/zoom_parts.h"
#include "ui/panels/panels.h"

namespace tilewalk {
namespace {

constexpr float kWide = 1.25f;  // width over height from which the words are beside the picture

void draw_close(const UiFrame& f, const Panel& p, float right, float y) {
  const float s = p.s;
  if (is_post_layout(f.layout)) return;  // nobody can click a picture
  if (button(f, {.id = "close",
                 .rect = {right - 22 * s, y - 4 * s, right, y + 18 * s},
                 .label = "",
                 .tip = "Back to the walk (Esc)",
                 .sign = draw::Sign::Cross}))
    f.push(Action::EndlessZoom);
}

float lines(const Panel& p, const Font& font, float x, float y, float room, ImU32 ink, const std::string& text) {
  return text.empty() ? 0 : draw::paragraph(p.list, font, p.fonts.tiny, x, y, room, ink, text);
}

// What the two fills and the outline of the picture mean. Returns the lower end.
float draw_legend(const UiFrame& f, const Panel& p, const EndlessZoomModel& m, float left, float y, float room) {
  const float s = p.s, sign = p.fonts.tiny.size, high = draw::leading(p.fonts.tiny);
  const ImU32 kept = kept_fill(p, m, legend_level(m));
  float x = left;
  const auto item = [&](const std::string& words, ImU32 fill, ImU32 border) {
    const float wide = sign + 6 * s + draw::text_width(p.fonts.tiny, words);
    if (x > left && x + wide > left + room) x = left, y += high;
    draw::box(p.list, {x, y, x + sign, y + sign}, fill, 0, border, border == p.colours.now_line ? 2 * s : 1);
    draw::text(p.list, p.fonts.tiny, x + sign + 6 * s, y, p.colours.text, words);
    f.ui.rects.put("legend " + words, {x, y, x + wide, y + high});
    x += wide + 16 * s;
  };
  item(m.diagonal ? "kept by the mask" : "scores", kept, p.colours.row_line);
  if (m.diagonal) item("skipped by the mask", skipped_fill(p, kept), p.colours.row_line);
  item("tile on chip", 0, p.colours.now_line);
  return y + high;
}

// The figure of the current square, and that of the tile. Returns the lower end.
float draw_figures(const UiFrame& f, const Panel& p, const EndlessZoomModel& m, float x, float y, float room) {
  const float s = p.s, wide = draw::text_width(p.fonts.figure, m.figure);
  draw::text(p.list, p.fonts.figure, x, y, p.colours.text, m.figure);
  f.ui.rects.put("figure", {x, y, x + wide, y + p.fonts.figure.size});
  const float words = draw::text_width(p.fonts.title, m.figure_words);
  if (wide + 12 * s + words <= room) {
    draw::text(p.list, p.fonts.title, x + wide + 12 * s, y + p.fonts.figure.size * 0.80f - p.fonts.title.size * 0.80f,
               p.colours.text, m.figure_words);
    y += p.fonts.figure.size + 4 * s;
  } else {
    y += p.fonts.figure.size;
    y += lines(p, p.fonts.title, x, y, room, p.colours.text, m.figure_words);
  }
  y += lines(p, p.fonts.body, x, y, room, p.colours.muted, m.figure_detail);
  if (m.tile_figure.empty()) return y;
  y += 8 * s;
  const float tile = draw::text_width(p.fonts.title, m.tile_figure) + 10 * s, top = y;
  draw::text(p.list, p.fonts.title, x, y, p.colours.accent, m.tile_figure);
  y += std::max(draw::leading(p.fonts.title),
                lines(p, p.fonts.body, x + tile, y + (draw::leading(p.fonts.title) - draw::leading(p.fonts.body)) / 2,
                      room - tile, p.colours.text, m.tile_words));
  f.ui.rects.put("tile figure", {x, top, x + room, y});
  return y;
}

// The bars' axis of bytes, above them, with a line down to them for each mark. A mark too near to the end has no words.
void draw_ticks(const UiFrame& f, const Panel& p, const EndlessZoomModel& m, float left, float right, float y,
                float bottom) {
  const Font& font = p.fonts.tiny;
  const float wide = right - left, top = y + draw::leading(font);
  float free = right + 1;
  for (std::size_t i = m.ticks.size(); i-- > 0;) {
    const ZoomTick& tick = m.ticks[i];
    const float x = left + wide * float(tick.share), words = draw::text_width(font, tick.text);
    p.list->AddLine(ImVec2(x, top), ImVec2(x, bottom), p.colours.row_line, draw::hairline());
    const float at = std::clamp(x - words / 2, left, right - words);
    if (at + words > free) continue;
    draw::text(p.list, font, at, y, p.colours.muted, tick.text);
    f.ui.rects.put("tick " + tick.text, {at, y, at + words, top});
    free = at - 8 * p.s;
  }
}

// One row a square, largest first, as in the picture from the outside in. A click moves the camera there.
void draw_levels(const UiFrame& f, const Panel& p, const EndlessZoomModel& m, const draw::Rect& area) {
  const float s = p.s, least = draw::leading(p.fonts.body) + 4 * s;
  // In little space only those around the current square.
  const float rows = area.height() - draw::leading(p.fonts.tiny) - 3 * s;
  const std::size_t count = std::clamp<std::size_t>(std::size_t(std::max(1.0f, rows / least)), 1, m.levels.size());
  const std::size_t first = std::min(m.at > count / 2 ? m.at - count / 2 : 0, m.levels.size() - count);
  const float high = std::min(46 * s, rows / float(count));
  const float axis = draw::leading(p.fonts.tiny) + 3 * s;
  draw_ticks(f, p, m, area.x0 + 4 * s, area.x1 - 4 * s, area.y0, area.y0 + axis + high * float(count) - 2 * s);
  float y = area.y0 + axis;
  for (std::size_t i = first + count; i-- > first;) {
    const ZoomLevel& level = m.levels[i];
    const draw::Rect r{area.x0, y, area.x1, y + high - 2 * s};
    const Hit h = hit(f, "level " + level.name, r);
    const bool at_hand = i == m.at;
    if (at_hand || h.hovered)
      draw::box(p.list, r, at_hand ? p.colours.tab : p.colours.button_hover, 5 * s, at_hand ? p.colours.accent : 0);
    const float middle = (r.y0 + r.y1 - 4 * s) / 2, left = r.x0 + 10 * s, right = r.x1 - 10 * s;
    const draw::Rect bar{r.x0 + 4 * s, r.y1 - 5 * s, r.x0 + 4 * s + (r.width() - 8 * s) * float(level.share),
                         r.y1 - 2 * s};
    draw::box(p.list, bar, level.on_chip || at_hand ? p.colours.accent : p.colours.muted, 1.5f * s);
    f.ui.rects.put("bar " + level.name, bar);
    const ImU32 ink = level.on_chip ? p.colours.accent : p.colours.text;
    draw::text(p.list, at_hand ? p.fonts.strong : p.fonts.body, left, middle - p.fonts.body.size / 2, ink, level.name);
    draw::text_right(p.list, p.fonts.mono, right, middle - p.fonts.mono.size / 2, p.colours.text, level.size);
    const std::string between = level.square.kind == ZoomSquareKind::Length ? level.memory : level.sides;
    const float from = left + draw::text_width(p.fonts.strong, level.name) + 12 * s,
                to = right - draw::text_width(p.fonts.mono, "64.0 KiB") - 14 * s;
    if (draw::text_width(p.fonts.tiny, between) <= to - from)
      draw::text_right(p.list, p.fonts.tiny, to, middle - p.fonts.tiny.size / 2, p.colours.muted, between);
    if (h.hovered) tooltip(f, level.sides + ", " + level.size + ": " + level.memory);
    if (h.clicked) f.push(MoveZoom{level.square.t});
    y += high;
  }
}

float high_of_button(const Panel& p) { return std::max(30 * p.s, p.fonts.strong.em + 12 * p.s); }

void draw_play(const UiFrame& f, const Panel& p, const EndlessZoomModel& m, float x, float y, float right) {
  const float s = p.s;
  const std::string label = m.moves ? "Pause" : m.t >= 1 ? "Play again" : "Zoom out";
  const draw::Rect r{x, y, x + button_width(p.theme, "Play again", 30), y + high_of_button(p)};
  if (button(f, {.id = "play", .rect = r, .label = label, .tip = "Space", .strong = true})) f.push(Action::PlayPause);
  const std::string_view keys = "← → squares  ·  wheel  ·  Esc back";
  if (r.x1 + 12 * s + draw::text_width(p.fonts.tiny, keys) <= right)
    draw::text_right(p.list, p.fonts.tiny, right, (r.y0 + r.y1 - p.fonts.tiny.size) / 2, p.colours.muted, keys);
}

void draw_wide(const UiFrame& f, Panel& p, const EndlessZoomModel& m, float bottom) {
  const float s = p.s, high = bottom - p.y, gap = 24 * s;
  const float least = std::min(300 * p.e, p.width * 0.5f);  // for the words
  const float side = std::floor(std::min(high, p.width - gap - least));
  draw_zoom_picture(f, p, m, {p.x, p.y, p.x + side, p.y + side});
  const float x = p.x + side + gap, right = p.x + p.width, room = right - x;
  float y = p.y;
  p.caption_at(x, y, m.title, room - 30 * s);
  draw_close(f, p, right, y);
  y += 28 * s;
  y = draw_figures(f, p, m, x, y, room) + 10 * s;
  y = draw_legend(f, p, m, x, y, room) + 12 * s;
  const float play = bottom - high_of_button(p);
  const float most = 46 * s * float(m.levels.size()) + draw::leading(p.fonts.tiny) + 3 * s,
              scale = draw::paragraph(nullptr, p.fonts.tiny, p.fonts.tiny, 0, 0, room, 0, m.scale);
  const bool says_scale = play - 12 * s - y >= 22 * s * float(m.levels.size()) + scale + 10 * s;
  const float end = play - 12 * s - (says_scale ? scale + 10 * s : 0);
  draw_levels(f, p, m, {x, y, right, std::min(end, y + most)});
  if (says_scale) lines(p, p.fonts.tiny, x, std::min(end, y + most) + 8 * s, room, p.colours.muted, m.scale);
  draw_play(f, p, m, x, play, right);
}

void draw_upright(const UiFrame& f, Panel& p, const EndlessZoomModel& m, float bottom) {
  const float s = p.s, right = p.x + p.width;
  draw_close(f, p, right, p.y);
  float y = draw_figures(f, p, m, p.x, p.y, p.width - 34 * s) + 8 * s;
  y = draw_legend(f, p, m, p.x, y, p.width) + 10 * s;
  const float side = std::floor(std::min(p.width, bottom - y)), x = p.x + std::floor((p.width - side) / 2);
  draw_zoom_picture(f, p, m, {x, y, x + side, y + side});
}

}  // namespace

void draw_endless_zoom_panel(const UiFrame& f, Panel& p) {
  const EndlessZoomModel& m = *f.views.page<WalkPage>()->endless_zoom;
  const float bottom = p.rect.y1 - 12 * p.s;
  if (p.width >= kWide * (bottom - p.y))
    draw_wide(f, p, m, bottom);
  else
    draw_upright(f, p, m, bottom);
}

}  // namespace tilewalk
