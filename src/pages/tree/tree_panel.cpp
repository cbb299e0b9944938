// The page of the family tree: years from left to right, a lane for each kind of change, lines from parents to
// children; below, the description of the chosen member. Where the names do not fit in their years, each lane is a
// list.
#include <algorithm>
#include <cmath>
#include <vector>

#include "pages/tree/tree_model.h"
#include "ui/panels/panels.h"

namespace tilewalk {
namespace {

// The positions of lanes, columns and boxes.
struct Grid {
  float x, y, column, row, heads;  // heads: what years take above

  draw::Rect box(const TreeBox& b, float s) const {
    const float left = x + column * float(b.column), top = y + row * float(b.row);
    return {left + 4 * s, top + 4 * s, left + column - 17 * s, top + row - 4 * s};
  }
};

Grid grid_of(const Panel& p, const TreeModel& m) {
  const float s = p.s;
  float names = 0;
  for (const TreeLane& lane : m.lanes) names = std::max(names, draw::text_width(p.fonts.tiny, lane.title));
  names = std::min(names + 14 * s, p.width * 0.18f);
  const float heads = 20 * s, words = 196 * s;
  const float room = p.rect.y1 - p.y - heads - words;
  return {.x = p.x + names,
          .y = p.y + heads,
          .column = (p.width - names) / float(std::max<std::size_t>(1, m.columns.size())),
          .row = std::clamp(room / float(std::max(1, m.rows)), 28 * s, 76 * s),
          .heads = heads};
}

void draw_lanes_and_years(const UiFrame& f, Panel& p, const TreeModel& m, const Grid& g) {
  const float s = p.s, bottom = g.y + g.row * float(m.rows);
  for (std::size_t i = 0; i < m.columns.size(); ++i) {
    const float left = g.x + g.column * float(i);
    if (m.columns[i].after_gap)  // years without a member
      for (float y = g.y; y < bottom; y += 8 * s)
        p.list->AddLine({left - 2 * s, y}, {left - 2 * s, std::min(y + 4 * s, bottom)}, p.colours.border,
                        draw::hairline());
    draw::text(p.list, p.fonts.strong, left + 5 * s, p.y, p.colours.muted, m.columns[i].year);
  }
  for (const TreeLane& lane : m.lanes) {
    const float top = g.y + g.row * float(lane.row), high = g.row * float(lane.rows);
    p.list->AddLine({p.x, top}, {p.x + p.width, top}, p.colours.row_line, draw::hairline());
    const draw::Rect r{p.x, top, g.x - 6 * s, top + high};
    draw::text(p.list, p.fonts.tiny, p.x, top + (high - p.fonts.tiny.size) / 2, p.colours.muted,
               draw::elided(p.fonts.tiny, lane.title, r.width()));
    if (pointed_at(f, "lane " + lane.title, r)) tooltip(f, lane.title + ": " + lane.meaning);
  }
}

// A path with rounded corners.
void draw_path(const Panel& p, const std::vector<ImVec2>& points, ImU32 colour, float thick) {
  const auto towards = [&](const ImVec2& from, const ImVec2& to) {  // a little on the way
    const float dx = to.x - from.x, dy = to.y - from.y, far = std::abs(dx) + std::abs(dy);
    const float share = far > 0 ? std::min(0.5f, 5 * p.s / far) : 0;
    return ImVec2(from.x + dx * share, from.y + dy * share);
  };
  p.list->PathLineTo(points.front());
  for (std::size_t i = 1; i + 1 < points.size(); ++i) {
    p.list->PathLineTo(towards(points[i], points[i - 1]));
    p.list->PathBezierQuadraticCurveTo(points[i], towards(points[i], points[i + 1]));
  }
  p.list->PathLineTo(points.back());
  p.list->PathStroke(colour, 0, thick);
}

// Lines run between the boxes, never behind one: out to the right, up or down beside a column, along between two rows.
// A line to a box of the same year leaves and enters at the left, so that lines at a box's right lead only to later
// ones.
void draw_line(const Panel& p, const TreeModel& m, const Grid& g, const TreeLine& line) {
  const TreeBox &old = m.boxes[std::size_t(line.from)], &young = m.boxes[std::size_t(line.to)];
  const draw::Rect from = g.box(old, p.s), to = g.box(young, p.s);
  const float from_y = (from.y0 + from.y1) / 2, to_y = (to.y0 + to.y1) / 2;
  const auto beside = [&](int column) {  // separates the lines of several boxes
    return g.x + g.column * float(column + 1) + (float(line.from % 4) * 3 - 12) * p.s;
  };
  std::vector<ImVec2> points{{from.x1, from_y}};
  if (old.column == young.column) {
    const float low = from_y + (from.y1 - from_y) * (young.row > old.row ? 0.6f : -0.6f), left = from.x0 - 5 * p.s;
    points = {{from.x0, low}, {left, low}, {left, to_y}, {to.x0, to_y}};
  } else {
    const bool next = young.column == old.column + 1;
    if (old.row != young.row && !next) {
      const float between = g.y + g.row * float(young.row > old.row ? young.row : young.row + 1);
      points.insert(points.end(), {{beside(old.column), from_y}, {beside(old.column), between}});
      points.insert(points.end(), {{beside(young.column - 1), between}, {beside(young.column - 1), to_y}});
    } else if (old.row != young.row) {
      points.insert(points.end(), {{beside(old.column), from_y}, {beside(old.column), to_y}});
    }
    points.push_back({to.x0, to_y});
  }
  const ImU32 plain = mix(p.colours.panel, p.colours.muted, 0.6f);
  const ImU32 colour = line.chosen ? p.colours.accent : plain;
  draw_path(p, points, colour, (line.chosen ? 2.2f : 1.3f) * p.s);
  const float head = 3.5f * p.s;  // at the later box
  p.list->AddTriangleFilled({to.x0 + head / 2, to_y}, {to.x0 - head, to_y - head}, {to.x0 - head, to_y + head}, colour);
}

std::string label_of(const TreeBox& b) { return (b.exact ? "" : "~ ") + b.name; }

float dot_width(const Panel& p, const TreeBox& b) { return b.shown_here ? 12 * p.s : 0; }

float label_room(const Panel& p, const TreeBox& b, const Font& font) {
  return draw::text_width(font, label_of(b)) + dot_width(p, b) + 10 * p.s;
}

bool fits(const Panel& p, const TreeModel& m, const Grid& g, const Font& font) {
  return std::all_of(m.boxes.begin(), m.boxes.end(),
                     [&](const TreeBox& b) { return label_room(p, b, font) <= g.box(b, p.s).width(); });
}

void draw_box(const UiFrame& f, const Panel& p, const TreeBox& b, const draw::Rect& r, const Font& font) {
  const float s = p.s, dot = dot_width(p, b);
  const std::string label = draw::elided(font, label_of(b), r.width() - 9 * s - dot);
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
                               .label_at = ImVec2(r.x0 + 6 * s + dot, (r.y0 + r.y1 - font.size) / 2)});
  if (b.shown_here) p.list->AddCircleFilled({r.x0 + 9 * s, (r.y0 + r.y1) / 2}, 3 * s, p.colours.good);
  if (clicked) f.push(b.choose);
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
        if (x > first && x + before + wide > end) x = first, p.y += high + 4 * s;
        draw::text(p.list, p.fonts.tiny, x, p.y + (high - p.fonts.tiny.size) / 2, p.colours.muted, year);
        draw_box(f, p, b, {x + before, p.y, x + before + wide, p.y + high}, p.fonts.body);
        x += before + wide + 12 * s;
      }
    p.y += high + 5 * s;
  }
}

void draw_order(const UiFrame& f, const Panel& p, const TreeOrder& order, const draw::Rect& r) {
  const float side = r.width() / float(order.side), gap = 2 * p.s;
  for (int q = 0; q < order.side; ++q)
    for (int k = 0; k < order.side; ++k) {
      const auto at = std::size_t(q * order.side + k);
      const draw::Rect cell{r.x0 + float(k) * side, r.y0 + float(q) * side, r.x0 + float(k + 1) * side - gap,
                            r.y0 + float(q + 1) * side - gap};
      const ImU32 fill = viridis((float(order.block[at]) + 0.5f) / float(order.blocks));
      draw::box(p.list, cell, fill, 3 * p.s);
      const std::string time = std::to_string(order.time[at]);
      if (draw::text_width(p.fonts.strong, time) < cell.width())
        draw::text_in(p.list, p.fonts.strong, cell, ink_on(fill), time);
    }
  f.ui.rects.put("order " + order.title, r);
}

// What it changed, as a picture: the parent's order of visits and its own. Returns the lower end.
float draw_orders(const UiFrame& f, const Panel& p, const TreeModel& m, const draw::Rect& area) {
  const float s = p.s, head = draw::leading(p.fonts.strong) + 4 * s, between = 56 * s;
  const float note = draw::paragraph(nullptr, p.fonts.tiny, p.fonts.tiny, 0, 0, area.width(), 0, m.orders_note) + 8 * s;
  const float count = float(m.orders.size());
  const float side = std::min({area.height() - head - note, (area.width() - between * (count - 1)) / count, 220 * s});
  if (m.orders.empty() || side < 80 * s) return area.y0;
  float x = area.x0;
  for (std::size_t i = 0; i < m.orders.size(); ++i) {
    const draw::Rect r{x, area.y0 + head, x + side, area.y0 + head + side};
    draw::text(p.list, p.fonts.strong, x, area.y0, p.colours.text,
               draw::elided(p.fonts.strong, m.orders[i].title, side + between - 8 * s));
    draw_order(f, p, m.orders[i], r);
    x = r.x1 + between;
    if (i + 1 == m.orders.size()) continue;
    const float y = (r.y0 + r.y1) / 2;
    p.list->AddLine({r.x1 + 10 * s, y}, {x - 14 * s, y}, p.colours.accent, 2 * s);
    p.list->AddTriangleFilled({x - 8 * s, y}, {x - 17 * s, y - 6 * s}, {x - 17 * s, y + 6 * s}, p.colours.accent);
  }
  draw::paragraph(p.list, p.fonts.tiny, p.fonts.tiny, area.x0, area.y0 + head + side + 6 * s, area.width(),
                  p.colours.muted, m.orders_note);
  return area.y0 + head + side + note;
}

void draw_words(const UiFrame& f, Panel& p, const TreeModel& m) {
  const float s = p.s, top = p.y;
  float right = p.x + p.width;
  if (!m.show.empty()) {
    const float w = draw::text_width(p.fonts.strong, m.show) + 28 * s;
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
  // The picture is at the right where there is space beside the words, else below them.
  const float least = 2 * 120 * s + 60 * s;
  const bool beside = !m.orders.empty() && p.width > 620 * s + least;
  const float wide = beside ? std::clamp(p.width - 560 * s, 620 * s, 900 * s) : std::min(p.width, 900 * s);
  const float words_top = p.y, bottom = p.rect.y1 - 30 * s;
  const auto paragraph = [&](float x, float width, ImU32 ink, const std::string& text) {
    const float at = p.y;
    p.y += draw::paragraph(p.list, p.fonts.body, p.fonts.tiny, x, p.y, width, ink, text);
    explain(f, text, {x, at, x + width, p.y}, text);
  };
  paragraph(p.x, wide, p.colours.text, m.changes);
  p.y += 6 * s;
  float names = 0;
  for (const TreeFact& fact : m.facts) names = std::max(names, draw::text_width(p.fonts.tiny, fact.title));
  names += 14 * s;
  for (const TreeFact& fact : m.facts) {
    draw::text(p.list, p.fonts.tiny, p.x, p.y + (p.fonts.body.size - p.fonts.tiny.size), p.colours.muted, fact.title);
    paragraph(p.x + names, wide - names, p.colours.text, fact.text);
  }
  const float x = beside ? p.x + wide + 48 * s : p.x, y = beside ? words_top : p.y + 14 * s;
  p.y = std::max(p.y, draw_orders(f, p, m, {x, y, p.x + p.width, std::max(bottom, y)}));
}

}  // namespace

void draw_tree_panel(const UiFrame& f, Panel& p) {
  const TreeModel& m = *f.views.page<TreeModel>();
  const float s = p.s;
  const float used = p.caption_at(p.x, p.y, "Family tree of attention", p.width);
  p.y += 24 * s;
  const Grid g = grid_of(p, m);
  const bool drawn = fits(p, m, g, p.fonts.tiny);
  const std::string key = std::string(drawn ? "time runs to the right · a line: built on it · " : "") +
                          "~ approximate · dot: a tab here shows it";
  if (const float room = p.width - used - 24 * s; room > 120 * s)
    draw::text_right(p.list, p.fonts.tiny, p.x + p.width, p.y - 24 * s, p.colours.muted,
                     draw::elided(p.fonts.tiny, key, room));
  if (drawn) {
    draw_lanes_and_years(f, p, m, g);
    for (const bool chosen : {false, true})
      for (const TreeLine& line : m.lines)
        if (line.chosen == chosen) draw_line(p, m, g, line);
    const Font& font = fits(p, m, g, p.fonts.body) ? p.fonts.body : p.fonts.tiny;
    for (const TreeBox& b : m.boxes) draw_box(f, p, b, g.box(b, s), font);
    p.y = g.y + g.row * float(m.rows) + 2 * s;
  } else {
    draw_lists(f, p, m);
  }
  p.list->AddLine({p.x, p.y}, {p.x + p.width, p.y}, p.colours.row_line, draw::hairline());
  p.y += 12 * s;
  draw_words(f, p, m);
  p.y += 8 * s;
}

}  // namespace tilewalk
