// The page of the family tree: years from left to right, a lane for each kind of change, lines from parents to
// children; below, the description of the chosen member. A box has its recorded factor and a sketch of its loop. Where
// the names do not fit in their years, each lane is a list.
#include <algorithm>
#include <cmath>
#include <optional>

#include "pages/tree/tree_grid.h"
#include "ui/panels/panels.h"

namespace tilewalk {
namespace {

void draw_lanes_and_years(const UiFrame& f, Panel& p, const TreeModel& m, const TreeGrid& g) {
  const float s = p.s, bottom = g.y + g.row * float(m.rows);
  for (std::size_t i = 0; i < m.columns.size(); ++i) {
    const float left = g.left(int(i)) - 4 * s;
    if (m.columns[i].after_gap)  // years without a member
      for (float y = g.y; y < bottom; y += 8 * s)
        p.list->AddLine({left - 2 * s, y}, {left - 2 * s, std::min(y + 4 * s, bottom)}, p.colours.border,
                        draw::hairline());
    draw::text(p.list, p.fonts.strong, left + 5 * s, p.y, p.colours.muted, m.columns[i].year);
  }
  const float names = lane_names(p, m);
  for (const TreeLane& lane : m.lanes) {
    const float top = g.y + g.row * float(lane.row), high = g.row * float(lane.rows);
    p.list->AddLine({p.x, top}, {p.x + p.width, top}, p.colours.row_line, draw::hairline());
    const draw::Rect r{p.x, top, g.x - 6 * s, top + high};
    const float lines = draw::paragraph(nullptr, p.fonts.body, p.fonts.tiny, 0, 0, names, 0, lane.title);
    draw::paragraph(p.list, p.fonts.body, p.fonts.tiny, p.x, top + (high - lines) / 2, names, p.colours.muted,
                    lane.title);
    if (pointed_at(f, "lane " + lane.title, r)) tooltip(f, lane.title + ": " + lane.meaning);
  }
}

std::string label_of(const TreeBox& b) { return (b.exact ? "" : "~ ") + b.name; }

float dot_width(const Panel& p, const TreeBox& b) { return b.shown_here ? 12 * p.s : 0; }

float label_room(const Panel& p, const TreeBox& b, const Font& font) {
  return draw::text_width(font, label_of(b)) + dot_width(p, b) + 10 * p.s;
}

constexpr float kLeastSketch = 15, kLeastTrack = 50;

// The sketch of a box's loop: as high as the box, or as the name leaves it space.
float sketch_side(const Panel& p, const TreeBox& b, const draw::Rect& r, const Font& font) {
  const float s = p.s, side = std::min(r.height() - 5 * s, r.width() - label_room(p, b, font) - 9 * s);
  return b.loop < 0 || side < kLeastSketch * s ? 0 : side;
}

bool fits(const Panel& p, const TreeModel& m, const TreeGrid& g, const Font& font, bool sketches) {
  return std::all_of(m.boxes.begin(), m.boxes.end(), [&](const TreeBox& b) {
    const draw::Rect r = g.box(b.column, b.row);
    return label_room(p, b, font) <= r.width() && (!sketches || b.loop < 0 || sketch_side(p, b, r, font) > 0);
  });
}

void draw_label(const UiFrame& f, const Panel& p, const TreeBox& b, const draw::Rect& r, const Font& font, float middle,
                float right) {
  const float s = p.s, dot = dot_width(p, b);
  const std::string label = draw::elided(font, label_of(b), right - r.x0 - 9 * s - dot);
  const bool clicked = tag(f, {.id = b.name,
                               .rect = r,
                               .label = label,
                               .tip = b.tip,
                               .font = font,
                               .ink = p.colours.text,
                               .fill = b.chosen ? p.colours.tab : p.colours.button,
                               .hovered = p.colours.button_hover,
                               .border = b.chosen || b.kin ? p.colours.accent : p.colours.border,
                               .rounding = 5 * s,
                               .label_at = ImVec2(r.x0 + 6 * s + dot, middle - font.size / 2)});
  if (b.shown_here) p.list->AddCircleFilled({r.x0 + 9 * s, middle}, 3 * s, p.colours.good);
  if (clicked) f.push(b.choose);
}

float factor_room(const Panel& p, const TreeBox& b, const Font& brief) {
  return std::max(draw::text_width(brief, "10.0×"), draw::text_width(brief, b.factor.text)) + 6 * p.s;
}

bool has_words(const Panel& p, const draw::Rect& r, const Font& font, const Font& brief) {  // a line below the name
  return r.height() >= font.em + draw::leading(brief) + 6 * p.s;
}

// Of the line below the name: as large as the name where all lines are whole.
const Font& brief_font(const Panel& p, const TreeModel& m, const TreeGrid& g, const Font& font) {
  const bool whole = std::all_of(m.boxes.begin(), m.boxes.end(), [&](const TreeBox& b) {
    const draw::Rect r = g.box(b.column, b.row);
    const float side = sketch_side(p, b, r, font), end = side > 0 ? side + 9 * p.s : 4 * p.s;
    const float bar = b.factor.times > 0 ? kLeastTrack * p.s : 0;
    return has_words(p, r, font, font) && bar + draw::text_width(font, b.factor.text) + 12 * p.s + end <= r.width();
  });
  return whole ? font : p.fonts.tiny;
}

// The length of all bars' tracks: a factor has the same length in every box.
float track_width(const Panel& p, const TreeModel& m, const TreeGrid& g, const Font& font, const Font& brief) {
  float least = g.wide;
  for (const TreeBox& b : m.boxes) {
    if (b.factor.times <= 0) continue;
    const draw::Rect r = g.box(b.column, b.row);
    const float side = sketch_side(p, b, r, font), end = side > 0 ? side + 9 * p.s : 4 * p.s;
    least = std::min(least, r.width() - 6 * p.s - end - (has_words(p, r, font, brief) ? factor_room(p, b, brief) : 0));
  }
  return std::max(0.0f, least);
}

// A box of the tree: its name, below it the recorded factor as a bar, and at the right the sketch of its loop.
void draw_box(const UiFrame& f, const Panel& p, const TreeModel& m, const TreeBox& b, const draw::Rect& r,
              const Font& font, const Font& brief, float track_wide) {
  const float s = p.s, side = sketch_side(p, b, r, font), right = r.x1 - (side > 0 ? side + 9 * s : 4 * s);
  const float line = draw::leading(brief);
  const bool words = has_words(p, r, font, brief);  // else the bar alone, at the lower edge
  const float middle = words ? r.y0 + (r.height() - line) / 2 : (r.y0 + r.y1) / 2;
  draw_label(f, p, b, r, font, middle, right);
  const float x = r.x0 + 6 * s, y = words ? r.y1 - 3 * s - line / 2 : r.y1 - 3.5f * s;
  if (b.factor.times > 0) {
    const draw::Rect track{x, y - 2 * s, x + track_wide, y + 2 * s};
    const draw::Rect bar{x, track.y0, x + float(b.factor.share) * track.width(), track.y1};
    draw::box(p.list, track, bar_track(p.colours), 2 * s);
    draw::box(p.list, bar, p.colours.accent, 2 * s);
    const float naive = x + float(m.naive_share) * track.width();
    draw::box(p.list, {naive - 0.75f * s, track.y0 - 2 * s, naive + 0.75f * s, track.y1 + 2 * s}, p.colours.text, 0);
    f.ui.rects.put(b.name + " factor", bar);
    f.ui.rects.put(b.name + " track", track);
    f.ui.rects.put(b.name + " naive", {naive, track.y0, naive, track.y1});
  }
  if (words && b.factor.times <= 0)
    f.ui.rects.put(b.name + " brief", {x, y, x + draw::text_width(brief, b.factor.text), y});
  if (words)
    draw::text(p.list, brief, b.factor.times > 0 ? x + track_wide + 6 * s : x, y - brief.size / 2,
               b.factor.times > 0 ? p.colours.text : p.colours.muted, draw::elided(brief, b.factor.text, right - x));
  const float loop_y = (r.y0 + r.y1 - side) / 2;
  const float times = draw::text_width(p.fonts.tiny, b.factor.text);  // beside the name where a line below is too much
  if (!words && b.factor.times > 0 && label_room(p, b, font) + times <= right - r.x0) {
    draw::text(p.list, p.fonts.tiny, right - times, middle - p.fonts.tiny.size / 2, p.colours.text, b.factor.text);
    f.ui.rects.put(b.name + " times", {right - times, r.y0, right, r.y1});
  }
  if (side > 0)
    draw_loop(f, p, m.loops[std::size_t(b.loop)], {r.x1 - side - 5 * s, loop_y, r.x1 - 5 * s, loop_y + side}, b.name);
}

// Each lane as a list of its members with their years, in as many lines as they need.
void draw_lists(const UiFrame& f, Panel& p, const TreeModel& m) {
  const float s = p.s, high = 26 * s, end = p.x + p.width;
  float titles = 0;
  for (const TreeLane& lane : m.lanes) titles = std::max(titles, draw::text_width(p.fonts.tiny, lane.title));
  const bool beside = p.width > titles + 480 * s;  // a title is left of its members, or above them
  for (const TreeLane& lane : m.lanes) {
    p.list->AddLine({p.x, p.y}, {end, p.y}, p.colours.row_line, draw::hairline());
    p.y += 5 * s;
    const float title = draw::text_width(p.fonts.tiny, lane.title);
    const float title_y = p.y + (beside ? (high - p.fonts.tiny.size) / 2 : 0),
                first = beside ? p.x + titles + 14 * s : p.x;
    draw::text(p.list, p.fonts.tiny, p.x, title_y, p.colours.muted, lane.title);
    if (pointed_at(f, "lane " + lane.title, {p.x, title_y, p.x + title, title_y + 14 * s}))
      tooltip(f, lane.title + ": " + lane.meaning);
    if (!beside) p.y += 16 * s;
    float x = first;
    for (std::size_t column = 0; column < m.columns.size(); ++column)
      for (const TreeBox& b : m.boxes) {
        if (b.column != int(column) || b.row < lane.row || b.row >= lane.row + lane.rows) continue;
        const std::string& year = m.columns[column].year;
        const float before = draw::text_width(p.fonts.tiny, year) + 5 * s, wide = label_room(p, b, p.fonts.body);
        const std::string factor = b.factor.times > 0 ? b.factor.text : "";
        const float after = factor.empty() ? 0 : draw::text_width(p.fonts.tiny, factor) + 5 * s;
        if (x > first && x + before + wide + after > end) x = first, p.y += high + 4 * s;
        draw::text(p.list, p.fonts.tiny, x, p.y + (high - p.fonts.tiny.size) / 2, p.colours.muted, year);
        draw_label(f, p, b, {x + before, p.y, x + before + wide, p.y + high}, p.fonts.body, p.y + high / 2,
                   x + before + wide);
        draw::text(p.list, p.fonts.tiny, x + before + wide + 5 * s, p.y + (high - p.fonts.tiny.size) / 2,
                   p.colours.text, factor);
        x += before + wide + after + 12 * s;
      }
    p.y += high + 5 * s;
  }
}

void draw_order(const UiFrame& f, const Panel& p, const TreeOrder& order, const draw::Rect& r, double t) {
  const float side = r.width() / float(order.side), gap = 2 * p.s;
  for (int q = 0; q < order.side; ++q)
    for (int k = 0; k < order.side; ++k) {
      const auto at = std::size_t(q * order.side + k);
      const draw::Rect cell{r.x0 + float(k) * side, r.y0 + float(q) * side, r.x0 + float(k + 1) * side - gap,
                            r.y0 + float(q + 1) * side - gap};
      const ImU32 fill = tile_colour(p.colours, order, at, t);
      draw::box(p.list, cell, fill, 3 * p.s);
      const std::string time = std::to_string(order.time[at]);
      if (draw::text_width(p.fonts.strong, time) < cell.width())
        draw::text_in(p.list, p.fonts.strong, cell, ink_on(fill), time);
    }
  f.ui.rects.put("order " + order.title, r);
}

constexpr float kBetweenOrders = 56, kLeastOverlap = 200;  // before scaling

// The side of one picture of an order; none where it would be too small to read.
std::optional<float> side_of_orders(const Panel& p, const TreeModel& m, const draw::Rect& area, bool noted) {
  const float s = p.s, head = draw::leading(p.fonts.strong) + 4 * s;
  const float note =
      noted ? draw::paragraph(nullptr, p.fonts.tiny, p.fonts.tiny, 0, 0, area.width(), 0, m.orders_note) + 8 * s : 0;
  const float count = float(m.orders.size());
  const float side =
      std::min({area.height() - head - note, (area.width() - kBetweenOrders * s * (count - 1)) / count, 220 * s});
  return m.orders.empty() || side < 80 * s ? std::nullopt : std::optional(side);
}

// What it changed, as a picture: the parent's order of visits and its own. Returns the lower end.
float draw_orders(const UiFrame& f, const Panel& p, const TreeModel& m, const draw::Rect& area) {
  // In a low page their note is a tooltip.
  const bool noted = side_of_orders(p, m, area, true).has_value();
  const std::optional<float> fits = side_of_orders(p, m, area, noted);
  if (!fits) return area.y0;
  const float s = p.s, head = draw::leading(p.fonts.strong) + 4 * s, between = kBetweenOrders * s, side = *fits;
  float x = area.x0;
  for (std::size_t i = 0; i < m.orders.size(); ++i) {
    const draw::Rect r{x, area.y0 + head, x + side, area.y0 + head + side};
    draw::text(p.list, p.fonts.strong, x, area.y0, p.colours.text,
               draw::elided(p.fonts.strong, m.orders[i].title, side + between - 8 * s));
    draw_order(f, p, m.orders[i], r, i + 1 == m.orders.size() ? m.loop_t : 1);
    x = r.x1 + between;
    if (i + 1 == m.orders.size()) continue;
    const float y = (r.y0 + r.y1) / 2;
    p.list->AddLine({r.x1 + 10 * s, y}, {x - 14 * s, y}, p.colours.accent, 2 * s);
    p.list->AddTriangleFilled({x - 8 * s, y}, {x - 17 * s, y - 6 * s}, {x - 17 * s, y + 6 * s}, p.colours.accent);
  }
  const float note = area.y0 + head + side + 6 * s;
  if (const float from = x - between + 24 * s; !m.overlap.rows.empty() && area.x1 - from >= kLeastOverlap * s)
    draw_overlap(f, p, m.overlap, {from, area.y0 + head, area.x1, area.y0 + head + side});
  if (!noted) {
    if (pointed_at(f, "orders", {area.x0, area.y0, x - between, note})) tooltip(f, m.orders_note);
    return note;
  }
  return note + 2 * s +
         draw::paragraph(p.list, p.fonts.tiny, p.fonts.tiny, area.x0, note, area.width(), p.colours.muted,
                         m.orders_note);
}

constexpr float kLowWords = 190;       // height, before scaling, below which the pictures' column is narrower
constexpr float kLeastColumns = 1150;  // width, before scaling: words, facts and picture side by side

// The name with the button that opens its schedule at the right.
void draw_name(const UiFrame& f, Panel& p, const TreeModel& m, float width) {
  const float s = p.s, top = p.y;
  float right = p.x + width;
  if (!m.show.empty()) {
    const float w = button_width(p.theme, m.show, 28);
    if (button(f, {.id = "walk",
                   .rect = {right - w, top, right, top + 28 * s},
                   .label = m.show,
                   .tip = "Opens the tab that shows this schedule",
                   .strong = true}))
      for (const Command& command : m.commands) f.push(command);
    right -= w + 12 * s;
  }
  draw::text(p.list, p.fonts.strong, p.x, top + 4 * s, p.colours.text,
             draw::elided(p.fonts.strong, m.name, right - p.x));
  p.y = top + 34 * s;
}

// Draws the description from the pen; returns its lower end.
float draw_changes(const UiFrame& f, const Panel& p, const TreeModel& m, float width) {
  const float end =
      p.y + draw::paragraph(p.list, p.fonts.body, p.fonts.tiny, p.x, p.y, width, p.colours.text, m.changes);
  explain(f, m.changes, {p.x, p.y, p.x + width, end}, m.changes);
  return end;
}

float fact_titles(const Panel& p, const TreeModel& m) {  // the width of their column
  float names = 0;
  for (const TreeFact& fact : m.facts) names = std::max(names, draw::text_width(p.fonts.body, fact.title));
  return names + 14 * p.s;
}

// The first facts repeat what the tree shows: the row of the box, and its lines. Beside pictures in a low page they are
// left out.
constexpr std::size_t kFactsOfTree = 2;

float facts_high(const Panel& p, const TreeModel& m, std::size_t first, float width) {
  float high = 0;
  for (std::size_t i = first; i < m.facts.size(); ++i)
    high += draw::paragraph(nullptr, p.fonts.body, p.fonts.tiny, 0, 0, width - fact_titles(p, m), 0, m.facts[i].text);
  return high;
}

// Draws the facts, each after its title; returns their lower end.
float draw_facts(const UiFrame& f, const Panel& p, const TreeModel& m, std::size_t first, float x, float y,
                 float width) {
  const float names = fact_titles(p, m);
  for (std::size_t i = first; i < m.facts.size(); ++i) {
    const TreeFact& fact = m.facts[i];
    draw::text(p.list, p.fonts.body, x, y, p.colours.muted, fact.title);
    const float from = y, at = x + names;
    y += draw::paragraph(p.list, p.fonts.body, p.fonts.tiny, at, y, width - names, p.colours.text, fact.text);
    explain(f, fact.text, {at, from, x + width, y}, fact.text);
  }
  f.ui.rects.put("facts", {x, y, x + width, y});
  return y;
}

// Description, facts and picture side by side where the page is wide, else one below the other.
void draw_words(const UiFrame& f, Panel& p, const TreeModel& m) {
  const float s = p.s, top = p.y, bottom = p.rect.y1 - 26 * s;
  if (p.width > kLeastColumns * s) {
    const bool low = bottom - top < kLowWords * s;
    const float gap = (low ? 24 : 36) * s, first = std::round(p.width * (low ? 0.26f : 0.31f)),
                facts = p.x + first + gap;
    const float picture = facts + std::round(p.width * (low ? 0.46f : 0.37f)) + gap;
    const draw::Rect orders{picture, top + 4 * s, p.x + p.width, bottom + (low ? 10 * s : 0)};
    // Without pictures the facts have their place too: where the pictures, or the facts beside them, do not fit.
    const auto beside = [&](std::size_t from) {
      return top + 4 * s + facts_high(p, m, from, picture - gap - facts) <= bottom + 14 * s;
    };
    const std::size_t from = beside(0) ? 0 : std::min(kFactsOfTree, m.facts.size());
    const bool pictures = (side_of_orders(p, m, orders, true) || side_of_orders(p, m, orders, false)) && beside(from);
    const float second = pictures ? picture - gap - facts : p.x + p.width - facts;
    draw_name(f, p, m, first);
    const float end =
        std::max(draw_changes(f, p, m, first), draw_facts(f, p, m, pictures ? from : 0, facts, top + 4 * s, second));
    p.y = pictures ? std::max(end, draw_orders(f, p, m, orders)) : end;
    return;
  }
  draw_name(f, p, m, p.width);
  const float wide = std::min(p.width, 900 * s);
  p.y = draw_changes(f, p, m, wide) + 6 * s;
  p.y = draw_facts(f, p, m, 0, p.x, p.y, wide);
  const float y = p.y + 14 * s;
  p.y = std::max(p.y, draw_orders(f, p, m, {p.x, y, p.x + p.width, std::max(bottom, y)}));
}

}  // namespace

void draw_tree_panel(const UiFrame& f, Panel& p) {
  const TreeModel& m = *f.views.page<TreeModel>();
  if (f.session.presents_page()) return draw_tree_for_room(f, p, m);
  const float s = p.s;
  p.caption_at(p.x, p.y, "Family tree of attention", p.width);
  p.y += 24 * s;
  const TreeGrid first = tree_grid(p, m);
  const bool drawn = fits(p, m, first, p.fonts.tiny, false);
  const auto font_in = [&](const TreeGrid& g) -> const Font& {
    return fits(p, m, g, p.fonts.body, true) ? p.fonts.body : p.fonts.tiny;
  };
  draw_key(f, p, m, drawn, drawn && has_words(p, first.box(0, 0), font_in(first), p.fonts.tiny));
  const TreeGrid g = tree_grid(p, m);  // below the key
  if (drawn) {
    draw_lanes_and_years(f, p, m, g);
    draw_edges(f, p, m, g);
    const Font& font = font_in(g);
    const Font& brief = brief_font(p, m, g, font);
    const float track = track_width(p, m, g, font, brief);
    for (const TreeBox& b : m.boxes) draw_box(f, p, m, b, g.box(b.column, b.row), font, brief, track);
    p.y = g.y + g.row * float(m.rows) + 2 * s;
  } else {
    draw_lists(f, p, m);
  }
  p.list->AddLine({p.x, p.y}, {p.x + p.width, p.y}, p.colours.row_line, draw::hairline());
  p.y += 12 * s;
  draw_words(f, p, m);
}

}  // namespace tilewalk
