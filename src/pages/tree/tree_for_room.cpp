// The presented tree, whose letters a class reads from afar: above, a map of all members in their years; below it
// the chosen member with its year and speed-up, between its parents and its children, and what it changed.
#include <fmt/format.h>

#include <algorithm>
#include <vector>

#include "pages/tree/tree_grid.h"
#include "ui/panels/panels.h"

namespace tilewalk {
namespace {

struct Kin {
  std::vector<const TreeBox*> parents, children;
  const TreeBox* chosen = nullptr;
};

Kin kin_of(const TreeModel& m) {
  Kin out;
  for (const TreeBox& box : m.boxes)
    if (box.chosen) out.chosen = &box;
  for (const TreeLine& line : m.lines) {
    const TreeBox &from = m.boxes[std::size_t(line.from)], &to = m.boxes[std::size_t(line.to)];
    if (&to == out.chosen) out.parents.push_back(&from);
    if (&from == out.chosen) out.children.push_back(&to);
  }
  return out;
}

// Rows of the map: the boxes of a year are below each other, in the order of the page.
std::vector<int> map_rows(const TreeModel& m) {
  std::vector<int> out;
  for (const TreeBox& box : m.boxes)
    out.push_back(int(std::count_if(m.boxes.begin(), m.boxes.end(), [&](const TreeBox& other) {
      return other.column == box.column && other.row < box.row;
    })));
  return out;
}

// Each member as a small box with its name in its year; the chosen one's kin have coloured outlines. Without lines:
// boxes this close leave no way between them.
void draw_map(const UiFrame& f, Panel& p, const TreeModel& m) {
  constexpr float kBetween = 0.05f;  // two columns, as a share of one
  const float s = p.s, column = p.width / (float(std::max<std::size_t>(1, m.columns.size())) - kBetween);
  const float wide = column * (1 - kBetween), row = p.fonts.tiny.size + 5 * s;
  for (std::size_t i = 0; i < m.columns.size(); ++i)
    draw::text(p.list, p.fonts.strong, p.x + column * float(i), p.y, p.colours.muted, m.columns[i].year);
  const float top = p.y + draw::leading(p.fonts.strong) + 4 * s;
  const std::vector<int> rows = map_rows(m);
  const auto place = [&](std::size_t i) {
    const float x = p.x + column * float(m.boxes[i].column), y = top + row * float(rows[i]);
    return draw::Rect{x, y + s, x + wide, y + row - s};
  };
  int most = 0;
  for (std::size_t i = 0; i < m.boxes.size(); ++i) {
    const TreeBox& box = m.boxes[i];
    const draw::Rect r = place(i);
    draw::box(p.list, r, box.chosen ? p.colours.accent : p.colours.button, 2 * s,
              box.chosen || box.kin ? p.colours.accent : p.colours.muted);
    draw::text_in(p.list, p.fonts.tiny, r, box.chosen ? ink_on(p.colours.accent) : p.colours.text,
                  draw::elided(p.fonts.tiny, box.name, r.width() - 3 * s));
    f.ui.rects.put("map " + box.name, r);
    if (hit(f, "on map " + box.name, r).clicked) f.push(box.choose);
    most = std::max(most, rows[i]);
  }
  p.y = top + row * float(most + 1) + 10 * s;
}

std::string year_of(const TreeModel& m, const TreeBox& box) { return m.columns[std::size_t(box.column)].year; }

constexpr const char* kApproximate = "approximate";

// A parent or a child: its name, its year, its speed-up where one is recorded, and whether it is approximate.
void draw_relative(const UiFrame& f, Panel& p, const TreeModel& m, const TreeBox& box, const draw::Rect& r) {
  const float s = p.s, middle = r.middle().y;
  std::string about = box.factor.times > 0 ? box.factor.text + " · " + year_of(m, box) : year_of(m, box);
  if (!box.published.empty()) about = box.published + " · " + year_of(m, box);
  if (!box.published.empty() &&
      draw::text_width(p.fonts.strong, box.name) + draw::text_width(p.fonts.body, about) + 26 * s > r.width())
    about = year_of(m, box);
  const std::string name = (box.exact ? "" : "~ ") + box.name;
  const std::string fuller = std::string(kApproximate) + " · " + about;
  const float names = draw::text_width(p.fonts.strong, name) + 22 * s;
  // Its loop, beside the chosen one's: what the line between them changed.
  const float loop = box.loop < 0 ? 0 : r.height() - 8 * s, taken = loop > 0 ? loop + 8 * s : 0;
  if (!box.exact && names + draw::text_width(p.fonts.body, fuller) + taken <= r.width()) about = fuller;
  if (taken > 0 && names + draw::text_width(p.fonts.body, about) + taken > r.width()) about = year_of(m, box);
  const float wide = draw::text_width(p.fonts.body, about), right = r.x1 - 8 * s - taken - wide;
  const bool beside = draw::text_width(p.fonts.strong, name) + 14 * s <= right - r.x0;
  const bool clicked = tag(f, {.id = box.name,
                               .rect = r,
                               .label = draw::elided(p.fonts.strong, name, r.width() - 16 * s - taken),
                               .tip = box.tip,
                               .font = p.fonts.strong,
                               .ink = p.colours.text,
                               .fill = p.colours.button,
                               .hovered = p.colours.button_hover,
                               .border = p.colours.border,
                               .rounding = 5 * s,
                               .label_at = ImVec2(r.x0 + 8 * s, middle - p.fonts.strong.size / 2)});
  if (loop > 0)
    draw_loop(f, p, m.loops[std::size_t(box.loop)],
              {r.x1 - 4 * s - loop, middle - loop / 2, r.x1 - 4 * s, middle + loop / 2}, "kin " + box.name);
  if (beside) draw::text(p.list, p.fonts.body, right, middle - p.fonts.body.size / 2, p.colours.muted, about);
  if (clicked) f.push(box.choose);
}

// A column of relatives under its heading; lines to the chosen member at the right or the left.
void draw_relatives(const UiFrame& f, Panel& p, const TreeModel& m, const std::vector<const TreeBox*>& boxes,
                    const draw::Rect& area, const char* heading, float to) {
  if (boxes.empty()) return;
  const float s = p.s, head = draw::leading(p.fonts.body) + 4 * s, gap = 6 * s;
  draw::text(p.list, p.fonts.body, area.x0, area.y0, p.colours.muted, heading);
  const float count = float(boxes.size()), room = area.height() - head - gap * (count - 1),
              high = std::min(p.fonts.strong.em + 34 * s, room / count);
  float y = area.y0 + head + (room - high * count) / 2;
  const float middle = area.y0 + head + (area.height() - head) / 2;
  for (const TreeBox* box : boxes) {
    const draw::Rect r{area.x0, y, area.x1, y + high};
    const bool parent = to > area.x1;
    const ImVec2 a(parent ? r.x1 : to, parent ? r.middle().y : middle),
        b(parent ? to : r.x0, parent ? middle : r.middle().y);
    const float head_size = 4 * s;
    p.list->AddBezierCubic(a, {(a.x + b.x) / 2, a.y}, {(a.x + b.x) / 2, b.y}, {b.x - head_size, b.y}, p.colours.accent,
                           2 * s);
    p.list->AddTriangleFilled({b.x, b.y}, {b.x - 2 * head_size, b.y - head_size},
                              {b.x - 2 * head_size, b.y + head_size}, p.colours.accent);
    draw_relative(f, p, m, *box, r);
    y += high + gap;
  }
}

// The chosen one: its name, year, speed-up, why it is slower than naive, if it is approximate, and its picture.
void draw_chosen(const UiFrame& f, Panel& p, const TreeModel& m, const TreeBox& box, const draw::Rect& r) {
  const float s = p.s;
  draw::box(p.list, r, p.colours.tab, 6 * s, p.colours.accent, 2 * s);
  f.ui.rects.put("chosen", r);
  // Its picture: what overlaps inside a thread block, or its loop.
  const bool overlaps = !m.overlap.rows.empty();
  const float side = overlaps ? r.width() * 0.58f : box.loop < 0 ? 0 : std::min(r.height() - 16 * s, r.width() * 0.5f);
  if (overlaps)
    draw_overlap(f, p, m.overlap, {r.x1 - side - 8 * s, r.y0 + 12 * s, r.x1 - 10 * s, r.y1 - 8 * s});
  else if (side > 0)
    draw_loop(f, p, m.loops[std::size_t(box.loop)],
              {r.x1 - side - 8 * s, r.middle().y - side / 2, r.x1 - 8 * s, r.middle().y + side / 2}, box.name,
              m.loop_t);
  const float room = r.width() - 18 * s - (side > 0 ? side + 8 * s : 0);
  const Font& large = draw::text_width(p.fonts.title, box.name) <= room ? p.fonts.title : p.fonts.strong;
  std::string speed = box.published;
  const auto high_in = [&](const Font& font) {
    float out = draw::leading(large) + draw::leading(font) * float(1 + !box.exact + (box.published.empty() ? 1 : 0));
    for (const std::string* text : {&box.published, &box.slower})
      if (!text->empty()) out += draw::paragraph(nullptr, font, p.fonts.tiny, 0, 0, room, 0, *text);
    return out;
  };
  const Font& body = high_in(p.fonts.body) <= r.height() - 8 * s ? p.fonts.body : p.fonts.tiny;
  const float line = draw::leading(body), x = r.x0 + 10 * s;
  if (speed.empty() && box.factor.times > 0) {
    speed = box.factor.text + " as fast as naive";
    if (draw::text_width(body, speed) > room) speed = box.factor.text + " naive";
  }
  const auto high_of = [&](const std::string& text) {
    return text.empty() ? 0 : draw::paragraph(nullptr, body, p.fonts.tiny, 0, 0, room, 0, text);
  };
  const float reason = high_of(box.slower);
  const float high = draw::leading(large) + line * float(1 + !box.exact) + high_of(speed) + reason;
  float y = r.middle().y - high / 2;
  draw::text(p.list, large, x, y, p.colours.text, draw::elided(large, box.name, room));
  y += draw::leading(large);
  draw::text(p.list, body, x, y, p.colours.muted, year_of(m, box));
  y += line;
  if (!box.exact) {
    draw::text(p.list, body, x, y, p.colours.text, kApproximate);
    f.ui.rects.put("approximate", {x, y, x + draw::text_width(body, kApproximate), y + body.size});
    y += line;
  }
  if (speed.empty()) return;
  y += draw::paragraph(p.list, body, p.fonts.tiny, x, y, room, p.colours.text, speed);
  if (box.slower.empty()) return;
  draw::paragraph(p.list, body, p.fonts.tiny, x, y, room, p.colours.text, box.slower);
  f.ui.rects.put("slower", {x, y, x + room, y + reason});
}

}  // namespace

void draw_tree_for_room(const UiFrame& f, Panel& p, const TreeModel& m) {
  const float s = p.s, gap = 28 * s;
  draw_map(f, p, m);
  const Kin kin = kin_of(m);
  if (!kin.chosen) return;
  const float words = draw::paragraph(nullptr, p.fonts.body, p.fonts.tiny, 0, 0, p.width, 0, m.changes);
  const float side = (p.width - 2 * gap) * 0.25f, high = std::max(80 * s, p.rect.y1 - 14 * s - words - 10 * s - p.y);
  const float head = draw::leading(p.fonts.body) + 4 * s;
  const draw::Rect middle{p.x + side + gap, p.y + head, p.x + p.width - side - gap, p.y + high};
  draw_relatives(f, p, m, kin.parents, {p.x, p.y, p.x + side, p.y + high}, "built on", middle.x0);
  draw_relatives(f, p, m, kin.children, {middle.x1 + gap, p.y, p.x + p.width, p.y + high}, "built on it", middle.x1);
  draw_chosen(f, p, m, *kin.chosen, middle);
  p.y += high + 10 * s;
  const float end =
      p.y + draw::paragraph(p.list, p.fonts.body, p.fonts.tiny, p.x, p.y, p.width, p.colours.text, m.changes);
  f.ui.rects.put("changes", {p.x, p.y, p.x + p.width, end});
  p.y = end;
}

}  // namespace tilewalk
