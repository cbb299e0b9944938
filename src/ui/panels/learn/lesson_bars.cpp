// Bars of a lesson's picture, and the names and headings that they share with other kinds.
#include <algorithm>

#include "ui/imgui_compat.h"
#include "ui/panels/learn/lesson_picture_parts.h"

namespace tilewalk {
namespace {

bool has_digits_alone(std::string_view words) { return words.find_first_not_of("0123456789.") == std::string::npos; }

// From a bar to the same one drawn larger below it.
void draw_zoom(const UiFrame& f, const Panel& p, const draw::Rect& from, const draw::Rect& to) {
  const ImU32 fill = with_alpha(p.colours.accent, 0.14f), line = with_alpha(p.colours.accent, 0.7f);
  const ImVec2 a(from.x0, from.y1 + 2 * p.s), b(from.x1, from.y1 + 2 * p.s), c(to.x1, to.y0 - 2 * p.s),
      d(to.x0, to.y0 - 2 * p.s);
  p.list->AddQuadFilled(a, b, c, d, fill);
  p.list->AddLine(a, d, line, draw::hairline());
  p.list->AddLine(b, c, line, 1.5f * p.s);
  f.ui.rects.put("zoom", {to.x0, from.y1, to.x1, to.y0});
}

void fade_out(const Panel& p, const draw::Rect& band) {
  // Opaque: blended by 8-bit alpha, all channels would change at the same columns, which shows as bands.
  const ImU32 near = mix(p.colours.panel, p.colours.accent, 0.34f), far = p.colours.panel;
  p.list->AddRectFilledMultiColor(band.min(), band.max(), near, far, far, near);
}

// Beside the bar. An answer has no space of its own there, because the scale would change with its words: where it does
// not fit it is in the bar. The words do not cross the line of the mark, at `mark`.
void draw_words(const UiFrame& f, const Panel& p, const PictureItemModel& item, const draw::Rect& bar, float edge,
                std::optional<float> mark, const Font& most) {
  const Font& font = has_glyphs(p.fonts.figure, item.words) ? most : p.fonts.title;
  const float gap = 10 * p.s, wide = draw::text_width(font, item.words);
  const float y = (bar.y0 + bar.y1 - font.size) / 2;
  const auto crosses = [&](float x) { return mark && x - gap / 2 < *mark && *mark < x + wide + gap / 2; };
  const bool fits_in = bar.width() >= wide + 2 * gap;
  float x = bar.x1 + gap;
  if (x + wide > edge || crosses(x)) {
    if (fits_in)
      x = bar.x1 - gap - wide;
    else if (crosses(x) && *mark + gap + wide <= edge)
      x = *mark + gap;
    if (fits_in && crosses(x) && *mark - gap - wide > bar.x0) x = *mark - gap - wide;
  }
  draw::text(p.list, font, x, y, x < bar.x1 ? ink_on(fill_of(p, item)) : p.colours.text, item.words);
  f.ui.rects.put("words " + item.name, {x, y, x + wide, y + font.size});
}

}  // namespace

Font font_of_number(const Panel& p, std::string_view number, float wide, float high, const Font& least) {
  constexpr float kMost = 0.5f;  // of the height
  const Font &figure = p.fonts.figure, &win = p.fonts.win;
  if (has_digits_alone(number)) {
    const float by = std::min({1.0f, kMost * high / win.em, wide / draw::text_width(win, number)});
    if (win.em * by > figure.em) return {win.font, win.size * by, win.em * by};
  }
  if (has_glyphs(figure, number))
    if (const Font* font = draw::font_that_fits({&figure}, number, wide, kMost * high)) return *font;
  const Font* font = draw::font_that_fits({&p.fonts.title}, number, wide, kMost * high);
  return font ? *font : least;
}

// What is asked, of a length that must not be read from the picture: it fades out towards the picture's right edge.
void draw_asked_band(const UiFrame& f, const Panel& p, const PictureItemModel& item, const draw::Rect& lane, float edge,
                     bool sign) {
  const draw::Rect band{lane.x0, lane.y0, edge, lane.y1};
  fade_out(p, band);
  f.ui.rects.put("asked " + item.name, band);
  if (!sign || item.guess) return;
  const Font font = font_of_number(p, "?", band.width(), band.height(), p.fonts.title);
  const draw::Rect left{band.x0, band.y0, band.x0 + draw::text_width(font, "?") + 24 * p.s, band.y1};
  draw::text_in(p.list, font, left, p.colours.accent, "?");
  f.ui.rects.put("sign " + item.name, left);
}

float draw_asked_key(const UiFrame& f, const Panel& p, const LessonPictureModel& m, float x, float y) {
  if (!m.asks_several) return 0;
  const Font &large = p.fonts.title, &words = p.fonts.body;
  const float high = draw::leading(large) + 8 * p.s;
  if (m.done) return high;
  const draw::Rect band{x, y, x + 72 * p.s, y + draw::leading(large)};
  fade_out(p, band);
  draw::text_in(p.list, large, {band.x0, band.y0, band.x0 + draw::text_width(large, "?") + 16 * p.s, band.y1},
                p.colours.accent, "?");
  draw::text(p.list, words, band.x1 + 8 * p.s, band.middle().y - words.size / 2, p.colours.muted,
             "asked, so not drawn yet");
  f.ui.rects.put("asked key", band);
  return high;
}

void draw_guess_box(const Panel& p, const draw::Rect& guess, const std::string& words) {
  draw::box(p.list, guess, mix(p.colours.panel, p.colours.accent, 0.22f), 3 * p.s);
  draw::dashed(p.list, guess, p.colours.accent, {.length = 5 * p.s, .thickness = 2 * p.s});
  if (draw::text_width(p.fonts.body, words) + 8 * p.s < guess.width() && guess.height() > p.fonts.body.em)
    draw::text_in(p.list, p.fonts.body, guess, p.colours.text, words);
}

float height_of_heading(const Panel& p, const PictureItemModel& item) {
  return item.heading.empty() ? 0 : draw::leading(p.fonts.body) + 18 * p.s;
}

float draw_picture_heading(const Panel& p, const PictureItemModel& item, float x, float y, float room) {
  if (item.heading.empty()) return y;
  draw::text(p.list, p.fonts.body, x, y + 8 * p.s, p.colours.muted, draw::elided(p.fonts.body, item.heading, room));
  return y + height_of_heading(p, item);
}

float width_of_names(const Panel& p, const LessonPictureModel& m, float most) {
  float wide = 0;
  for (const PictureItemModel& item : m.items)
    wide = std::max(wide, draw::line_width(p.fonts.title, p.fonts.tiny, item.name));
  return std::min(wide + 16 * p.s, most);
}

void draw_picture_name(const Panel& p, const PictureItemModel& item, float x, float middle, float names) {
  if (draw::line_width(p.fonts.title, p.fonts.tiny, item.name) <= names - 8 * p.s)
    draw::paragraph(p.list, p.fonts.title, p.fonts.tiny, x, middle - p.fonts.title.size / 2, 2 * names, p.colours.text,
                    item.name);
  else
    draw::text(p.list, p.fonts.title, x, middle - p.fonts.title.size / 2, p.colours.text,
               draw::elided(p.fonts.title, item.name, names - 8 * p.s));
}

// A line at each power of 10, with its number below where it does not meet that of a lower power.
void draw_ticks(const Panel& p, const LessonPictureModel& m, float left, float room, float top, float low) {
  float free = left - 100 * p.s;
  for (const PictureTick& tick : m.ticks) {
    const float at = std::round(left + float(tick.share) * room), wide = draw::text_width(p.fonts.tiny, tick.words);
    p.list->AddLine(ImVec2(at, top), ImVec2(at, low), p.colours.border, draw::hairline());
    if (at - wide / 2 < free) continue;
    draw::text(p.list, p.fonts.tiny, at - wide / 2, low + 4 * p.s, p.colours.muted, tick.words);
    free = at + wide / 2 + 10 * p.s;
  }
}

float draw_bars(const UiFrame& f, const Panel& p, const LessonPictureModel& m, const draw::Rect& area, float t) {
  const float s = p.s, names = width_of_names(p, m, area.width() * 0.34f), count = float(m.items.size());
  float headings = 0;
  for (const PictureItemModel& item : m.items) headings += height_of_heading(p, item);
  const float axis = m.ticks.empty() ? 0 : draw::leading(p.fonts.tiny) + 6 * s;
  const float foot = axis + (m.mark ? draw::leading(p.fonts.body) + 6 * s : 0);
  const float pitch =
      std::clamp((area.height() - headings - foot) / count, 26 * s, std::max(168 * s, area.height() * 0.22f));
  const float thick = std::min(pitch * 0.66f, std::max(104 * s, area.height() * 0.14f));
  const Font font = font_of_number(p, "a", area.width(), thick, p.fonts.title);
  float words = draw::text_width(font, "00.0 MiB");
  for (const PictureItemModel& item : m.items)
    if (!item.asked) words = std::max(words, draw::text_width(font, item.words));
  const float left = area.x0 + names, room = std::max(40 * s, area.x1 - left - words - 14 * s);
  const std::optional<float> mark = m.mark ? std::optional(left + float(*m.mark) * room) : std::nullopt;
  float y = area.y0 + std::max(0.0f, (area.height() - headings - foot - pitch * count) * 0.45f);
  const float top = y;
  draw_ticks(p, m, left, room, top, top + headings + pitch * count);
  draw::Rect before{};
  for (const PictureItemModel& item : m.items) {
    const float heading_y = y;
    y += height_of_heading(p, item);
    const float middle = y + pitch / 2;
    draw_picture_name(p, item, area.x0, middle, names);
    const draw::Rect lane{left, middle - thick / 2, left + room, middle + thick / 2};
    if (item.hidden) draw_asked_band(f, p, item, lane, area.x1, !m.asks_several);
    if (item.hidden && item.guess) {
      const draw::Rect guess{lane.x0, lane.y0, lane.x0 + std::max(2 * s, float(*item.guess) * room), lane.y1};
      draw_guess_box(p, guess, item.words);
      if (draw::text_width(p.fonts.body, item.words) + 8 * s >= guess.width())
        draw::text(p.list, p.fonts.body, guess.x1 + 8 * s, middle - p.fonts.body.size / 2, p.colours.text, item.words);
      else if (item.beyond)
        draw::text(p.list, p.fonts.title, lane.x1 + 8 * s, middle - p.fonts.title.size / 2, p.colours.accent, "…");
      f.ui.rects.put("guess " + item.name, guess);
    } else if (!item.hidden) {
      const double at = std::min(item.share, double(t));
      const draw::Rect bar{lane.x0, lane.y0, lane.x0 + std::max(2 * s, float(at) * room), lane.y1};
      if (item.zoomed && before.width() > 0) draw_zoom(f, p, before, bar);
      before = bar;
      draw::box(p.list, bar, fill_of(p, item), 3 * s);
      if (at >= item.share) draw_words(f, p, item, bar, area.x1, mark, font);
      f.ui.rects.put("bar " + item.name, bar);
    }
    draw_picture_heading(p, item, area.x0, heading_y, area.width());
    y += pitch;
  }
  if (!mark) return y + foot;
  const float at = *mark, wide = draw::text_width(p.fonts.body, m.mark_name);
  p.list->AddLine(ImVec2(at, top), ImVec2(at, y), p.colours.warn, 2 * s);
  f.ui.rects.put("mark", {at - s, top, at + s, y});
  draw::text(p.list, p.fonts.body, std::clamp(at - wide / 2, area.x0, area.x1 - wide), y + axis + 4 * s, p.colours.warn,
             m.mark_name);
  return y + foot;
}

}  // namespace tilewalk
