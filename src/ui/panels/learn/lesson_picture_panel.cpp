// The picture of a lesson's screen, in the place of the page. It fills when it comes on screen and when its answer is
// known: bars like clocks, cells one after another. At the end, and without motion, it rests.
#include <algorithm>

#include "base/contains.h"
#include "ui/panels/learn/lesson_picture_parts.h"

namespace tilewalk {
namespace {

constexpr double kSecondsOfFill = 1.6;
constexpr std::int64_t kCellsOfLine = 16;

struct PictureUi {
  std::string place;
  bool done = false;
  double began = 0;
};

float fill_now(const UiFrame& f, const LessonPictureModel& m) {
  PictureUi& ui = f.ui.of<PictureUi>();
  if (ui.place != m.place || ui.done != m.done) ui = {m.place, m.done, f.now};
  if (!f.ui.motion || !f.session.document().view.motion) return 1;
  return float(std::clamp((f.now - ui.began) / kSecondsOfFill, 0.0, 1.0));
}

// A cell of known size with an asked number.
void asked_cell(const Panel& p, const draw::Rect& r) {
  draw::dashed(p.list, r, p.colours.accent, {.length = 5 * p.s, .thickness = 1.5f * p.s});
  draw::text_in(p.list, font_of_number(p, "?", r.width(), r.height(), p.fonts.title), r, p.colours.accent, "?");
}

// Squares on one base line, in the middle; names and words below. Returns the lower end.
float draw_areas(const UiFrame& f, const Panel& p, const LessonPictureModel& m, const draw::Rect& area, float t) {
  const float s = p.s, words = draw::leading(p.fonts.strong) + draw::leading(p.fonts.body) + 14 * s, gap = 56 * s;
  const auto words_of = [](const PictureItemModel& item) {
    return item.hidden && !item.guess ? std::string("how large, to this scale?") : item.words;
  };
  const auto edge_of = [&](const PictureItemModel& item, float side) {
    const double share = item.hidden ? item.guess.value_or(0) : item.share;
    return std::max(2 * s, float(share) * side);
  };
  const auto column_of = [&](const PictureItemModel& item, float side) {
    return std::max({edge_of(item, side), draw::text_width(p.fonts.strong, item.name),
                     draw::text_width(p.fonts.body, words_of(item)), item.asked ? side : 0});
  };
  const auto whole = [&](float side) {
    float wide = gap * float(m.items.size() - 1);
    for (const PictureItemModel& item : m.items) wide += column_of(item, side);
    return wide;
  };
  double tallest = 1;
  for (const PictureItemModel& item : m.items) tallest = std::max(tallest, item.guess.value_or(0));
  float side = (area.height() - words) / float(tallest);
  while (side > 60 * s && whole(side) > area.width()) side *= 0.96f;
  const float low = area.y0 + (area.height() - words + side * float(tallest)) / 2;
  float x = area.x0 + std::max(0.0f, (area.width() - whole(side)) / 2);
  for (const PictureItemModel& item : m.items) {
    const float edge = edge_of(item, side), column = column_of(item, side);
    // Squares grow at one rate, so the largest comes last.
    const float now = item.hidden ? edge : std::min(edge, std::max(2 * s, t * side * float(tallest)));
    const draw::Rect r{x, low - now, x + now, low};
    if (item.hidden && item.guess)
      draw_guess_box(p, r, "");
    else if (item.hidden)  // no box before a guess: any size of it would suggest an answer
      draw::text(p.list, p.fonts.title, x, low - draw::leading(p.fonts.title), p.colours.accent, "?");
    else
      draw::box(p.list, r, item.sram ? p.colours.raised : fill_of(p, item), edge > 20 * s ? 4 * s : 0,
                item.sram ? mix(p.colours.border, p.colours.accent, 0.45f) : 0, 1.6f * s);
    if (!(item.hidden && !item.guess) && edge < 20 * s)
      p.list->AddCircle(ImVec2((r.x0 + r.x1) / 2, (r.y0 + r.y1) / 2), edge / 2 + 10 * s, p.colours.accent, 32, 2 * s);
    draw::text(p.list, p.fonts.strong, x, low + 8 * s, p.colours.text,
               draw::elided(p.fonts.strong, item.name, column + gap - 8 * s));
    draw::text(p.list, p.fonts.body, x, low + 8 * s + draw::leading(p.fonts.strong), p.colours.muted,
               draw::elided(p.fonts.body, words_of(item), column + gap - 8 * s));
    if (!item.hidden || item.guess) f.ui.rects.put("area " + item.name, r);
    x += column + gap;
  }
  return low + words;
}

std::int64_t lines_of_cells(const PictureItemModel& item, std::int64_t line) {
  return std::max<std::int64_t>(1, (item.count + line - 1) / line);
}

// Cells of one size in lines; a gap between groups.
float draw_cells(const UiFrame& f, const Panel& p, const PictureItemModel& item, std::int64_t line, float x, float y,
                 float side, float t) {
  const float s = p.s;
  float at = x, top = y;
  for (std::int64_t i = 0; i < item.count; ++i) {
    if (i > 0 && i % line == 0)
      at = x, top += side + 6 * s;
    else if (i > 0 && item.group > 0 && i % item.group == 0)
      at += side * 0.5f;
    const draw::Rect r{at, top, at + side - 3 * s, top + side - 3 * s};
    const bool ringed = contains(item.rings, i);
    const float share = part_at(t, i, item.count);
    const draw::Rect now = grown(r, share);
    draw::box(p.list, now, fill_of(p, item), 3 * s, ringed ? p.colours.now_line : 0, 3 * s);
    if (item.count > 1 && side > 20 * s && share == 1)
      draw::text_in(p.list, font_of_number(p, std::to_string(i), 0.8f * r.width(), 0.6f * r.height(), p.fonts.tiny), r,
                    ink_on(fill_of(p, item)), std::to_string(i));
    f.ui.rects.put("cell " + item.name + " " + std::to_string(i), now);
    at += side;
  }
  return top + side;
}

// The side of a cell if a line has so many of them.
float side_of_cells(const LessonPictureModel& m, std::int64_t line, float wide, float high, float s) {
  std::int64_t most = 8;  // cells in a line; a hidden item has room for as many
  float lines = 0;
  for (const PictureItemModel& item : m.items) {
    most = std::max(most, std::min(item.count + (item.group > 0 ? item.count / item.group / 2 + 1 : 0), line + 2));
    lines += float(lines_of_cells(item, line));
  }
  if (line < kCellsOfLine) most = line;
  return std::clamp((high - 64 * s * float(m.items.size())) / lines - 6 * s, 20 * s,
                    std::min(std::max(112 * s, 0.3f * high), wide / (float(most) + 0.5f)));
}

float draw_rows_of_cells(const UiFrame& f, const Panel& p, const LessonPictureModel& m, const draw::Rect& area,
                         float t) {
  const float s = p.s, names = width_of_names(p, m, area.width() * 0.3f), left = area.x0 + names, wide = area.x1 - left;
  // Several items have lines of one length, so that they compare; a single one has the lines that make it largest.
  std::int64_t line = kCellsOfLine;
  const bool single = m.items.size() == 1 && m.items.front().group == 0 && m.items.front().count >= kCellsOfLine / 2;
  for (const std::int64_t shorter : {kCellsOfLine / 2, kCellsOfLine / 4})
    if (single && side_of_cells(m, shorter, wide, area.height(), s) > side_of_cells(m, line, wide, area.height(), s))
      line = shorter;
  const float side = side_of_cells(m, line, wide, area.height(), s);
  float high = 0;
  for (const PictureItemModel& item : m.items)
    high += height_of_heading(p, item) + float(lines_of_cells(item, line)) * (side + 6 * s) +
            (item.words.empty() ? 20 : 44) * s;
  float y = area.y0 + std::max(0.0f, (area.height() - high) * 0.42f);
  for (const PictureItemModel& item : m.items) {
    y = draw_picture_heading(p, item, area.x0, y, area.width());
    draw_picture_name(p, item, area.x0, y + side / 2, names);
    if (item.hidden) {
      draw_asked_band(f, p, item, {left, y, area.x1, y + side}, area.x1, !m.asks_several);
      y += side;
    } else {
      y = draw_cells(f, p, item, line, left, y, side, t);
    }
    if (!item.words.empty() && !item.hidden)
      y += draw::paragraph(p.list, p.fonts.body, p.fonts.tiny, left, y + 4 * s, area.x1 - left, p.colours.muted,
                           item.words) +
           4 * s;
    y += 20 * s;
  }
  return y;
}

float draw_columns(const UiFrame& f, const Panel& p, const LessonPictureModel& m, float x, float y, float wide) {
  if (m.columns.empty()) return y;
  const float high = draw::leading(p.fonts.body);
  for (std::size_t i = 0; i < m.columns.size(); ++i) {
    const draw::Rect r{x + wide * float(i), y, x + wide * float(i + 1) - 4 * p.s, y + high};
    const Font* font = draw::font_that_fits({&p.fonts.body, &p.fonts.tiny}, m.columns[i], r.width(), high);
    draw::text_in(p.list, font ? *font : p.fonts.tiny, r, p.colours.muted,
                  font ? m.columns[i] : draw::elided(p.fonts.tiny, m.columns[i], r.width()));
    if (font) f.ui.rects.put("column " + m.columns[i], r);
  }
  return y + high + 6 * p.s;
}

float draw_rows_of_numbers(const UiFrame& f, const Panel& p, const LessonPictureModel& m, const draw::Rect& area,
                           float t) {
  const float s = p.s, names = width_of_names(p, m, area.width() * 0.4f), count = float(m.items.size());
  float left = area.x0 + names;
  std::size_t most = 1;
  float wide = std::max(draw::text_width(p.fonts.mono_large, "−0.000") + 84 * s, 0.17f * area.width()), words = 0,
        headings = 0;
  for (const PictureItemModel& item : m.items) {
    most = std::max(most, item.numbers.size());
    words = std::max(words, draw::text_width(p.fonts.body, item.words));
    headings += height_of_heading(p, item);
  }
  for (const std::string& column : m.columns) wide = std::max(wide, draw::text_width(p.fonts.body, column) + 16 * s);
  if (!m.columns.empty()) headings += draw::leading(p.fonts.body) + 6 * s;
  wide = std::min(wide, (area.x1 - left) / float(most));
  const bool beside = left + wide * float(most) + words + 14 * s <= area.x1;
  const float pitch = std::clamp((area.height() - headings) / count, 34 * s, std::max(132 * s, area.height() * 0.23f)),
              high = std::min(std::max(84 * s, area.height() * 0.17f), beside ? pitch - 6 * s : pitch - 24 * s);
  const float all = names + wide * float(most) + (beside && words > 0 ? words + 14 * s : 0);
  const float shift = std::max(0.0f, (area.width() - all) / 2), x0 = area.x0 + shift;
  left += shift;
  float y = area.y0 + std::max(0.0f, (area.height() - headings - pitch * count) * 0.42f);
  std::int64_t all_numbers = 0, drawn = 0;
  for (const PictureItemModel& item : m.items) all_numbers += std::int64_t(item.numbers.size());
  for (const PictureItemModel& item : m.items) {
    y = draw_picture_heading(p, item, x0, y, area.width());
    if (&item == &m.items.front()) y = draw_columns(f, p, m, left, y, wide);
    draw_picture_name(p, item, x0, y + high / 2, names);
    float x = left;
    for (const std::string& number : item.numbers) {
      const draw::Rect r{x, y, x + wide - 4 * s, y + high};
      const float share = part_at(t, drawn++, all_numbers);
      // Without a tensor's hue a cell is one of a table: its words are read, and no cell is louder than another.
      const ImU32 fill = item.hue ? fill_of(p, item) : p.colours.callout;
      if (item.hidden)
        asked_cell(p, r);
      else
        draw::box(p.list, grown(r, share), fill, 4 * s, item.hue ? 0 : p.colours.cell_line);
      if (!item.hidden && share == 1) {
        const Font* const small = draw::font_that_fits({&p.fonts.mono_large, &p.fonts.mono, &p.fonts.mono_small},
                                                       number, r.width() - 4 * s, high);
        const Font least = small ? *small : p.fonts.mono_small,
                   font = item.hue ? font_of_number(p, number, 0.8f * r.width(), high, least) : least;
        draw::text_in(p.list, font, r, item.hue ? ink_on(fill) : p.colours.text, number);
        if (item.hue) f.ui.rects.put("digits " + item.name, {r.x0, r.y0, r.x1, r.y0 + font.em});
        if (!item.hue) f.ui.rects.put("table cell " + number, r);
      }
      f.ui.rects.put("number " + item.name, grown(r, share));
      x += wide;
    }
    if (!item.hidden && beside)
      draw::text(p.list, p.fonts.body, x + 10 * s, y + high / 2 - p.fonts.body.size / 2, p.colours.muted, item.words);
    else if (!item.hidden)
      draw::text(p.list, p.fonts.tiny, left, y + high + 3 * s, p.colours.muted,
                 draw::elided(p.fonts.tiny, item.words, area.x1 - left));
    y += pitch;
  }
  return y;
}

}  // namespace

void draw_lesson_picture_panel(const UiFrame& f, Panel& p) {
  const LessonPictureModel& m = *f.views.lesson_panel->picture;
  const float s = p.s, pad = std::min(26 * s, p.width * 0.03f), x = p.x + pad, room = p.width - 2 * pad;
  const float low = p.y + p.rect.height() - 30 * s;  // of the panel; what is larger scrolls
  float y = p.y + pad * 0.6f;
  y += draw::paragraph(p.list, p.fonts.title, p.fonts.tiny, x, y, room, p.colours.text, m.title) + 14 * s;
  y += draw_asked_key(f, p, m, x, y);
  const float note = m.note.empty() ? 0 : draw::paragraph(nullptr, p.fonts.body, p.fonts.tiny, 0, 0, room, 0, m.note);
  const draw::Rect area{x, y, x + room, std::max(y + 60 * s, low - pad * 0.6f - note - 10 * s)};
  const auto end = [&, t = fill_now(f, m)]() -> float {
    switch (m.kind) {
      case PictureKind::Bars: return draw_bars(f, p, m, area, t);
      case PictureKind::Areas: return draw_areas(f, p, m, area, t);
      case PictureKind::Cells: return draw_rows_of_cells(f, p, m, area, t);
      case PictureKind::Numbers: return draw_rows_of_numbers(f, p, m, area, t);
      case PictureKind::Pairs: return draw_pairs(f, p, m, area, t);
      case PictureKind::Tiles: return draw_tiles_of_masks(f, p, m, area, t);
      case PictureKind::Trips: return draw_trips(f, p, m, area, t);
    }
    return area.y1;
  }();
  const float below = std::max(area.y1, end) + 10 * s;
  if (note > 0) draw::paragraph(p.list, p.fonts.body, p.fonts.tiny, x, below, room, p.colours.muted, m.note);
  p.y = std::max(low, below + note);
}

}  // namespace tilewalk
