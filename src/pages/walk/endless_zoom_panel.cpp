// The zoom out of one score: the picture, to scale, and beside it the figure of the current square and the list of all
// squares. In a panel that is not wide the words are above the picture, and there is no list.
#include <algorithm>
#include <cmath>

#include "pages/walk/walk_page.h"
#include "pages/walk/zoom/zoom_parts.h"
#include "ui/controls.h"
#include "ui/panels/panels.h"

namespace tilewalk {
namespace {

constexpr float kWide = 1.25f;  // width over height from which the words are beside the picture

void draw_close(const UiFrame& f, const Panel& p, float right, float y) {
  const float s = p.s;
  if (!shows_controls(f)) return;
  if (button(f, {.id = "close",
                 .rect = {right - 22 * s, y - 4 * s, right, y + 18 * s},
                 .label = "",
                 .tip = "Back to the walk (Esc)",
                 .sign = draw::Sign::Cross}))
    f.push(Action::EndlessZoom);
}

struct FigureWords {
  std::string detail;  // of the current square
  bool brief = false;  // the tile has one line: its name is below the picture
};

// The figure of the current square, and that of the tile; for a class both in large letters, and no details. Returns
// the lower end; draws nothing if `draws` is false.
float draw_figures(const UiFrame& f, const Panel& p, const EndlessZoomModel& m, const FigureWords& of, float x, float y,
                   float room, bool draws) {
  const float s = p.s;
  const auto lines = [&](const Font& font, float at_x, float at_y, float most, ImU32 ink, const std::string& text) {
    return text.empty() ? 0
                        : draw::paragraph(draws ? p.list : nullptr, font, p.fonts.tiny, at_x, at_y, most, ink, text);
  };
  const auto large = [&](const char* id, const std::string& figure, ImU32 ink, const std::string& words) {
    const float wide = draw::text_width(p.fonts.figure, figure), top = y;
    if (draws) draw::text(p.list, p.fonts.figure, x, y, ink, figure);
    if (wide + 12 * s + draw::text_width(p.fonts.title, words) <= room) {
      if (draws)
        draw::text(p.list, p.fonts.title, x + wide + 12 * s,
                   y + p.fonts.figure.size * 0.80f - p.fonts.title.size * 0.80f, p.colours.text, words);
      y += p.fonts.figure.size + 4 * s;
    } else {
      y += p.fonts.figure.size;
      y += lines(p.fonts.title, x, y, room, p.colours.text, words);
    }
    if (draws) f.ui.rects.put(id, {x, top, x + wide, top + p.fonts.figure.size});
  };
  large("figure", m.figure, p.colours.text, m.figure_words);
  if (f.session.presents_page() && !m.tile_figure.empty()) {
    y += 8 * s;
    large("tile figure", m.tile_figure, p.colours.accent, m.tile_words);
    return y;
  }
  y += lines(p.fonts.body, x, y, room, p.colours.muted, of.detail);
  if (m.tile_figure.empty()) return y;
  y += 8 * s;
  const float tile = draw::text_width(p.fonts.title, m.tile_figure) + 10 * s, top = y;
  if (draws) draw::text(p.list, p.fonts.title, x, y, p.colours.accent, m.tile_figure);
  y += std::max(draw::leading(p.fonts.title),
                lines(p.fonts.body, x + tile, y + (draw::leading(p.fonts.title) - draw::leading(p.fonts.body)) / 2,
                      room - tile, p.colours.text, of.brief ? m.tile_brief : m.tile_words));
  if (draws) f.ui.rects.put("tile figure", {x, top, x + room, y});
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

float level_least(const Panel& p) { return draw::leading(p.fonts.body) + 4 * p.s; }
float ticks_height(const Panel& p) { return draw::leading(p.fonts.tiny) + 3 * p.s; }

// One row a square, largest first, as in the picture from the outside in. A click moves the camera there.
void draw_levels(const UiFrame& f, const Panel& p, const EndlessZoomModel& m, const draw::Rect& area) {
  const float s = p.s, least = level_least(p), axis = ticks_height(p);
  // In little space only those around the current square.
  const float rows = area.height() - axis;
  const std::size_t count = std::clamp<std::size_t>(std::size_t(std::max(1.0f, rows / least)), 1, m.levels.size());
  const std::size_t first = std::min(m.at > count / 2 ? m.at - count / 2 : 0, m.levels.size() - count);
  const float high = std::min(46 * s, rows / float(count));
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

float high_of_button(const UiFrame& f, const Panel& p) {
  return shows_controls(f) ? std::max(30 * p.s, p.fonts.strong.em + 12 * p.s) : 0;
}

void draw_play(const UiFrame& f, const Panel& p, const EndlessZoomModel& m, float x, float y, float right) {
  if (!shows_controls(f)) return;
  const float s = p.s;
  const std::string label = m.moves ? "Pause" : m.t >= 1 ? "Play again" : "Zoom out";
  const draw::Rect r{x, y, x + button_width(p.theme, "Play again", 30), y + high_of_button(f, p)};
  if (button(f, {.id = "play", .rect = r, .label = label, .tip = "Space", .strong = true})) f.push(Action::PlayPause);
  const std::string_view keys = "← → squares  ·  wheel  ·  Esc back";
  if (r.x1 + 12 * s + draw::text_width(p.fonts.tiny, keys) <= right)
    draw::text_right(p.list, p.fonts.tiny, right, (r.y0 + r.y1 - p.fonts.tiny.size) / 2, p.colours.muted, keys);
}

constexpr float kWantedRows = 3, kFewestRows = 2;  // of the list of squares; without room for the fewest there is none

std::string shorter(const std::string& detail) {
  const std::size_t end = detail.rfind(". ");
  return end == std::string::npos ? detail : detail.substr(0, end + 1);
}

// Whether the words in full, three lines of the tile and of the legend among them, leave no room for a few rows of the
// list: of large type. It is the same at every t.
bool is_tight(const UiFrame& f, const Panel& p, float room, float high) {
  const float s = p.s, figure = draw::text_width(p.fonts.figure, "4.00 TiB") + 12 * s,
              words = draw::text_width(p.fonts.title, "of scores never exist");
  const float in_full = 28 * s + p.fonts.figure.size + 4 * s +
                        (figure + words <= room ? 0 : draw::leading(p.fonts.title)) + 5 * draw::leading(p.fonts.body) +
                        30 * s + 3 * draw::leading(p.fonts.tiny);
  return in_full + ticks_height(p) + kWantedRows * level_least(p) + high_of_button(f, p) + 12 * s > high;
}

void draw_wide(const UiFrame& f, Panel& p, const EndlessZoomModel& m, float bottom) {
  const float s = p.s, gap = 24 * s, callouts = zoom_callouts_height(p, m);
  const float least = std::min(300 * p.e, p.width * 0.5f);  // for the words
  const float side = std::floor(std::min(bottom - p.y - callouts, p.width - gap - least));
  const draw::Rect picture{p.x, p.y, p.x + side, p.y + side};
  draw_zoom_picture(f, p, m, picture);
  draw_zoom_callouts(f, p, m, picture);
  const float x = picture.x1 + gap, right = p.x + p.width, room = right - x, play = bottom - high_of_button(f, p);
  const bool tight = is_tight(f, p, room, bottom - p.y);
  const float legend = draw_zoom_legend(f, p, m, picture, {x, 0, right, 0}, tight, false) + 12 * s;
  float y = p.y;
  draw_close(f, p, right, y);
  if (!tight) {
    p.caption_at(x, y, m.title, room - 30 * s);
    y += 28 * s;
  }
  const float wanted = ticks_height(p) + kWantedRows * level_least(p);
  const auto space = [&](const std::string& detail) {
    return play - 12 * s - draw_figures(f, p, m, {detail, tight}, x, y, room, false) - 10 * s - legend;
  };
  std::string detail = m.figure_detail;
  if (space(detail) < wanted) detail = shorter(detail);  // its last sentence gives its room to the list
  y = draw_figures(f, p, m, {detail, tight}, x, y, room, true) + 10 * s;
  draw_zoom_legend(f, p, m, picture, {x, y, right, y}, tight, true);
  y += legend;
  const float most = 46 * s * float(m.levels.size()) + ticks_height(p),
              scale = draw::paragraph(nullptr, p.fonts.tiny, p.fonts.tiny, 0, 0, room, 0, m.scale);
  const bool says_scale = play - 12 * s - y >= 22 * s * float(m.levels.size()) + scale + 10 * s;
  const float end = play - 12 * s - (says_scale ? scale + 10 * s : 0);
  if (end - y >= ticks_height(p) + kFewestRows * level_least(p))
    draw_levels(f, p, m, {x, y, right, std::min(end, y + most)});
  if (says_scale)
    draw::paragraph(p.list, p.fonts.tiny, p.fonts.tiny, x, std::min(end, y + most) + 8 * s, room, p.colours.muted,
                    m.scale);
  draw_play(f, p, m, x, play, right);
}

void draw_upright(const UiFrame& f, Panel& p, const EndlessZoomModel& m, float bottom) {
  const float s = p.s, right = p.x + p.width, callouts = zoom_callouts_height(p, m);
  draw_close(f, p, right, p.y);
  float y = draw_figures(f, p, m, {m.figure_detail, false}, p.x, p.y, p.width - 34 * s, true) + 8 * s;
  // The legend's height depends on the picture's place: it is measured for a picture of the room that there is.
  const float most = std::min(p.width, bottom - y - callouts);
  const draw::Rect room{p.x, y, p.x + most, y + most};
  const float two_lines = 2 * (draw::leading(p.fonts.tiny) + 2 * s);  // at each t, so that the picture keeps its size
  const float legend = std::max(two_lines, draw_zoom_legend(f, p, m, room, {p.x, y, right, y}, false, false)) + 10 * s;
  const float side = std::floor(std::min(p.width, bottom - y - legend - callouts)),
              x = p.x + std::floor((p.width - side) / 2);
  const draw::Rect picture{x, y + legend, x + side, y + legend + side};
  draw_zoom_legend(f, p, m, room, {p.x, y, right, y}, false, true);
  draw_zoom_picture(f, p, m, picture);
  draw_zoom_callouts(f, p, m, picture);
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
