// The plot of the roofline: the roofs, one mark a kernel with the error of its prediction, and an arrow from naive to
// the fastest kernel.
#include <algorithm>
#include <cmath>

#include "pages/roofline/draw_axes.h"
#include "pages/roofline/roofline_page.h"
#include "ui/controls.h"
#include "ui/labels.h"
#include "ui/panels/panels.h"
#include "ui/plot.h"

namespace tilewalk {
namespace {

constexpr float kLeastPlot = 170;     // its minimum height; the panel scrolls where it does not fit
constexpr float kLeastForRoom = 110;  // where a class sees it, whose letters are twice as large

// A recorded point's distance to its prediction: a line with a cap that is wider than the point.
void whisker(const Panel& p, const ImVec2& from, const ImVec2& to, ImU32 colour, float half) {
  const float s = p.s;
  p.list->AddLine(from, to, colour, 2 * s);
  p.list->AddLine({to.x - half, to.y}, {to.x + half, to.y}, colour, 2 * s);
}

// Explains the kinds of marks, at the right: a point that is predicted alone, a recorded one, and its whisker.
void draw_legend(const UiFrame& f, const Panel& p, const RooflinePage& m, float middle) {
  const float s = p.s, top = middle - p.fonts.tiny.size / 2;
  const std::string words[] = {m.hollow, m.filled, m.off};
  float wide = -14 * s;
  for (const std::string& each : words)
    if (!each.empty()) wide += (&each == &words[2] ? 37 : 32) * s + draw::text_width(p.fonts.tiny, each);
  float x = p.x + p.width - wide + 6 * s;
  for (const std::string& each : words) {
    if (each.empty()) continue;
    const ImU32 ink = p.colours.muted;
    if (&each == &words[2]) {  // as in the plot: a recorded point, and the cap where it was predicted
      x += 5 * s;
      whisker(p, {x, middle + 4 * s}, {x, middle - 6 * s}, ink, 6 * s);
      plot::mark(p.list, plot::Mark::Circle, {x, middle + 4 * s}, 3 * s, ink, false, p.colours.panel, 2 * s);
    } else
      plot::mark(p.list, plot::Mark::Circle, {x, middle}, 4 * s, ink, &each == &words[0], p.colours.panel, 2 * s);
    const float gap = (&each == &words[2] ? 11 : 9) * s;
    word(f, p.fonts.tiny, x + gap, top, ink, each);
    x += 18 * s + gap + draw::text_width(p.fonts.tiny, each);
  }
}

// Words on a plate, so that no line crosses them, at the first free one of these positions.
draw::Rect label(const Panel& p, Labels& labels, ImU32 ink, const std::string& words,
                 const std::vector<ImVec2>& corners, const Font& font) {
  const draw::Rect r = labels.put({draw::text_width(font, words) + 4 * p.s, font.size + 2 * p.s}, corners);
  draw::box(p.list, r, p.colours.panel, 2 * p.s);
  draw::text(p.list, font, r.x0 + 2 * p.s, r.y0 + p.s, ink, words);
  return r;
}

// Which sides of a point are free of neighbours: a label between two points would look like that of either.
struct FreeSides {
  bool above = true, below = true;
};

FreeSides free_sides(const ImVec2& at, const std::vector<std::pair<const RooflinePoint*, ImVec2>>& all, float across,
                     float up) {
  FreeSides out;
  for (const auto& [point, other] : all) {
    if (std::abs(other.x - at.x) > across || std::abs(other.y - at.y) > up) continue;
    if (other.y < at.y) out.above = false;
    if (other.y > at.y) out.below = false;
  }
  return out;
}

void label_point(const UiFrame& f, const Panel& p, Labels& labels, ImU32 ink, const RooflinePoint& point,
                 const ImVec2& at, const FreeSides& free) {
  const float s = p.s, w = draw::text_width(p.fonts.tiny, point.label) + 4 * s, h = p.fonts.tiny.size + 2 * s;
  const float off = (point.recorded && point.predicted ? 14 : 10) * s;  // beside the cap of a whisker
  const ImVec2 right{at.x + off, at.y - h / 2}, left{at.x - off - w, at.y - h / 2};
  const float above = at.y - 9 * s - h, below = at.y + 9 * s;
  // Its own side first: two neighbours that change sides would look like each other's labels.
  const ImVec2 own = point.left ? left : right, other = point.left ? right : left;
  std::vector<ImVec2> corners = {own};
  const auto beyond = [&](float x) {
    if (free.above) corners.push_back({x, above});
    if (free.below) corners.push_back({x, below});
  };
  beyond(own.x);
  corners.push_back(other);
  beyond(at.x - w / 2);
  beyond(other.x);
  for (const float x : {at.x + 8 * s, at.x - 8 * s - w})
    for (const float y : {at.y + 5 * s, at.y - 5 * s - h}) corners.push_back({x, y});
  if (point.part && !labels.has_room({w, h}, corners)) return;  // its tooltip has the name
  f.ui.rects.put("label " + point.label, label(p, labels, ink, point.label, corners, p.fonts.tiny));
}

// A slope's label is at its right, a roof's above it, a lower line's on the line itself or near it if there is space.
void label_roof(const UiFrame& f, const Panel& p, Labels& labels, const RoofLine& roof, const draw::Rect& area) {
  const ImVec2 from = plot::place(area, roof.from_x, roof.from_y), to = plot::place(area, roof.to_x, roof.to_y);
  const Font& font = shows_controls(f) ? p.fonts.tiny : p.fonts.strong;
  const float s = p.s, w = draw::text_width(font, roof.label) + 4 * s, h = font.size + 2 * s;
  std::vector<ImVec2> corners;
  if (from.y != to.y) {
    for (const float t : {0.38f, 0.25f, 0.5f, 0.12f, 0.65f})
      corners.push_back({from.x + (to.x - from.x) * t + 10 * s, from.y + (to.y - from.y) * t});
  } else {
    const float room = std::max(0.0f, to.x - from.x - w - 16 * s);
    std::vector<float> tops;
    if (!roof.lower)
      tops = {from.y - h - 2 * s};
    else
      for (const float below : {-h / 2, -h - 2 * s, -h - 5 * s, -h - 9 * s, 3 * s, 9 * s, 17 * s, -h - 14 * s, 23 * s})
        tops.push_back(from.y + below);
    for (const float top : tops)
      for (int tenth = 0; tenth <= 10; ++tenth) corners.push_back({from.x + 8 * s + room * float(tenth) / 10, top});
  }
  if (!roof.lower || labels.has_room({w, h}, corners))
    f.ui.rects.put("roof " + roof.label,
                   label(p, labels, roof.lower ? p.colours.muted : p.colours.text, roof.label, corners, font));
}

// A class reads the names from afar: large, in a column beside the right ends of the horizontal roofs, each with a thin
// line to its own. The slope's name is in the plot.
constexpr float kNamesColumn = 0.25f;  // at most, of the panel's width

bool is_in_column(const UiFrame& f, const RoofLine& roof) { return !shows_controls(f) && roof.from_y == roof.to_y; }

float names_column(const UiFrame& f, const Panel& p, const std::vector<RoofLine>& roofs) {
  float wide = 0;
  for (const RoofLine& roof : roofs)
    if (is_in_column(f, roof)) wide = std::max(wide, draw::text_width(p.fonts.strong, roof.label));
  return wide > 0 ? std::min(wide, kNamesColumn * p.width) + 24 * p.s : 0;
}

void draw_names_column(const UiFrame& f, const Panel& p, const std::vector<RoofLine>& roofs, const draw::Rect& area,
                       float right) {
  std::vector<const RoofLine*> from_top;
  for (const RoofLine& roof : roofs)
    if (is_in_column(f, roof)) from_top.push_back(&roof);
  std::sort(from_top.begin(), from_top.end(),
            [](const RoofLine* a, const RoofLine* b) { return a->from_y > b->from_y; });
  const float s = p.s, x = area.x1 + 24 * s, wide = right - x;
  float free_from = area.y0 - 0.5f * p.fonts.strong.em;
  for (const RoofLine* const roof : from_top) {
    const ImU32 ink = roof->lower ? p.colours.muted : p.colours.text;
    const float line = plot::place(area, roof->to_x, roof->to_y).y,
                high = draw::paragraph(nullptr, p.fonts.strong, p.fonts.tiny, x, 0, wide, ink, roof->label),
                top = std::max(free_from, line - high / 2), middle = top + 0.5f * p.fonts.strong.em;
    plot::line(p.list, {{area.x1, line}, {x - 4 * s, middle}}, ink, s, false);
    draw::paragraph(p.list, p.fonts.strong, p.fonts.tiny, x, top, wide, ink, roof->label);
    f.ui.rects.put("roof " + roof->label, {x, top, right, top + high});
    free_from = top + high + 6 * s;
  }
}

// No label lies on this line.
void keep_line_free(Labels& labels, const ImVec2& from, const ImVec2& to, float s) {
  const int parts = std::max(1, int(std::max(std::abs(to.x - from.x), std::abs(to.y - from.y)) / (6 * s)));
  for (int i = 0; i <= parts; ++i) {
    const float share = float(i) / float(parts), x = from.x + (to.x - from.x) * share,
                y = from.y + (to.y - from.y) * share;
    labels.keep_free({x - 3 * s, y - 3 * s, x + 3 * s, y + 3 * s});
  }
}

// From naive's mark to that of the fastest kernel, free of both.
void draw_arrow(const UiFrame& f, const Panel& p, const WinArrow& arrow, const draw::Rect& area) {
  const ImVec2 a = plot::place(area, arrow.from.x, arrow.from.y), b = plot::place(area, arrow.to.x, arrow.to.y);
  const float s = p.s, dx = b.x - a.x, dy = b.y - a.y, length = std::hypot(dx, dy), free = 12 * s;
  f.ui.rects.put("arrow", {std::min(a.x, b.x), std::min(a.y, b.y), std::max(a.x, b.x), std::max(a.y, b.y)});
  if (length < 3 * free) return;
  const ImVec2 along{dx / length, dy / length}, tip{b.x - along.x * free, b.y - along.y * free},
      neck{tip.x - along.x * 11 * s, tip.y - along.y * 11 * s}, wing{-along.y * 6 * s, along.x * 6 * s};
  p.list->AddLine({a.x + along.x * free, a.y + along.y * free}, neck, p.colours.accent, 2.6f * s);
  p.list->AddTriangleFilled(tip, {neck.x + wing.x, neck.y + wing.y}, {neck.x - wing.x, neck.y - wing.y},
                            p.colours.accent);
}

// The win in large type, on the arrow, at the first place where it covers no roof.
void label_arrow(const UiFrame& f, const Panel& p, Labels& labels, const WinArrow& arrow, const draw::Rect& area) {
  const ImVec2 a = plot::place(area, arrow.from.x, arrow.from.y), b = plot::place(area, arrow.to.x, arrow.to.y);
  const Font& font = p.fonts.title;
  std::string words = arrow.label + " as fast";
  if (draw::text_width(font, words) > 0.3f * std::hypot(b.x - a.x, b.y - a.y)) words = arrow.label;
  const ImVec2 room{draw::text_width(font, words) + 12 * p.s, font.em + 4 * p.s};
  std::vector<ImVec2> corners;
  for (const float t : {0.5f, 0.42f, 0.58f, 0.35f, 0.65f, 0.28f})
    corners.push_back({a.x + (b.x - a.x) * t - room.x / 2, a.y + (b.y - a.y) * t - room.y / 2});
  const draw::Rect r = labels.put(room, corners);
  draw::box(p.list, r, p.colours.panel, 5 * p.s);
  draw::text_in(p.list, font, r, p.colours.accent, words);
  f.ui.rects.put("win", r);
  keep_line_free(labels, a, b, p.s);
}

// The way of a mark as N rises: a pale line with a dot at each usual N.
void draw_trail(const UiFrame& f, const Panel& p, const RooflineTrail& trail, const draw::Rect& area) {
  const float s = p.s;
  const ImU32 ink = with_alpha(colour_of(p.colours, trail.hue), 0.45f);
  std::vector<ImVec2> line;
  for (const PlotPoint& at : trail.line) line.push_back(plot::place(area, at.x, at.y));
  plot::line(p.list, line, ink, 2 * s, false);
  draw::Rect all{line.front().x, line.front().y, line.front().x, line.front().y};
  for (const ImVec2& at : line) all = all.joined({at.x, at.y, at.x, at.y});
  for (const auto& [at, n] : trail.lengths) p.list->AddCircleFilled(plot::place(area, at.x, at.y), 3 * s, ink);
  f.ui.rects.put("trail " + std::to_string(int(trail.hue)), all);
}

// The lengths at a trail's ends, then those between them that have space.
void label_trail(const UiFrame& f, const Panel& p, Labels& labels, const RooflineTrail& trail, const draw::Rect& area) {
  const float s = p.s, h = p.fonts.tiny.size + 2 * s;
  const auto label_length = [&](const std::pair<PlotPoint, std::string>& length, float farthest) {
    const auto& [place, n] = length;
    const ImVec2 at = plot::place(area, place.x, place.y);
    const float w = draw::text_width(p.fonts.tiny, n) + 4 * s;
    std::vector<ImVec2> corners;
    for (float off = 6 * s; off <= farthest; off += 7 * s)
      for (const ImVec2& corner : {ImVec2{at.x - w / 2, at.y + off}, ImVec2{at.x - w / 2, at.y - off - h},
                                   ImVec2{at.x + off + s, at.y - h / 2}, ImVec2{at.x - off - s - w, at.y - h / 2},
                                   ImVec2{at.x + off, at.y + off}, ImVec2{at.x + off, at.y - off - h},
                                   ImVec2{at.x - off - w, at.y + off}, ImVec2{at.x - off - w, at.y - off - h}})
        corners.push_back(corner);
    if (!labels.has_room({w, h}, corners)) return;
    f.ui.rects.put("trail " + std::to_string(int(trail.hue)) + " " + n,
                   label(p, labels, with_alpha(colour_of(p.colours, trail.hue), 0.8f), n, corners, p.fonts.tiny));
  };
  label_length(trail.lengths.front(), h);
  label_length(trail.lengths.back(), h);
  for (std::size_t i = 1; i + 1 < trail.lengths.size(); ++i) label_length(trail.lengths[i], 6 * s);
}

}  // namespace

void draw_roofline_plot_panel(const UiFrame& f, Panel& p) {
  const RooflinePage& m = *f.views.page<RooflinePage>();
  const float s = p.s;
  const float least = (shows_controls(f) ? kLeastPlot : kLeastForRoom) * s;
  // The call beside the title where it fits, else below.
  const float title = draw::text_width(p.fonts.strong, m.title), top = p.y;
  const bool beside = draw::caption_width(f.theme, "The roofline") + title + 16 * s <= p.width;
  p.caption("The roofline", beside ? title + 16 * s : 0);
  if (beside)
    word_right(f, p.fonts.strong, p.x + p.width, top, p.colours.text, m.title);
  else
    word(f, p.fonts.strong, p.x, p.y, p.colours.text, draw::elided(p.fonts.strong, m.title, p.width));
  p.y += (beside ? 20 : 40) * s;
  draw_legend(f, p, m, p.y - 18 * s + p.fonts.tiny.size / 2);
  if (m.hides_times)
    p.y +=
        draw::paragraph(p.list, p.fonts.body, p.fonts.tiny, p.x, p.y - 16 * s, p.width, p.colours.muted, m.question) +
        4 * s;
  for (const std::string& why : m.unplotted)
    p.y += draw::paragraph(p.list, p.fonts.body, p.fonts.tiny, p.x, p.y - 16 * s, p.width, p.colours.warn, why) + 4 * s;
  const draw::Rect area{p.x + widest_tick(p.fonts.tiny, m.y_ticks) + 14 * s, p.y,
                        p.x + p.width - 10 * s - names_column(f, p, m.roofs),
                        std::max(p.y + least, p.rect.y1 - ImGui::GetScrollY() - 50 * s)};
  draw_axes(p, area, m.x_ticks, m.y_ticks, m.x_title, m.y_title);
  for (const RoofLine& roof : m.roofs) {
    const ImVec2 from = plot::place(area, roof.from_x, roof.from_y), to = plot::place(area, roof.to_x, roof.to_y);
    plot::line(p.list, {from, to}, roof.lower ? p.colours.muted : p.colours.text, (roof.lower ? 1.2f : 2.2f) * s,
               roof.lower);
  }
  for (const RooflineTrail& trail : m.trails) draw_trail(f, p, trail, area);
  if (m.arrow) draw_arrow(f, p, *m.arrow, area);
  const ImVec2 mouse = ImGui::GetIO().MousePos;
  const RooflinePoint* under = nullptr;
  Labels labels(area.inset(2 * s));
  for (const RoofLine& roof : m.roofs)
    if (!roof.lower)
      keep_line_free(labels, plot::place(area, roof.from_x, roof.from_y), plot::place(area, roof.to_x, roof.to_y), s);
  for (const RooflineTrail& trail : m.trails)
    for (const auto& [place, n] : trail.lengths) {
      if (!shows_controls(f)) continue;  // a class sees no numbers at the dots; one without its dot would float
      const ImVec2 at = plot::place(area, place.x, place.y);
      labels.keep_free({at.x - 4 * s, at.y - 4 * s, at.x + 4 * s, at.y + 4 * s});
    }
  if (m.arrow) label_arrow(f, p, labels, *m.arrow, area);
  std::vector<std::pair<const RooflinePoint*, ImVec2>> labelled;
  const auto near = [&](const ImVec2& at) {
    return (mouse.x - at.x) * (mouse.x - at.x) + (mouse.y - at.y) * (mouse.y - at.y) < 100 * s * s;
  };
  for (const RooflinePoint& point : m.points) {
    const ImU32 c = colour_of(p.colours, point.hue);
    ImVec2 at{};
    if (point.predicted) {
      at = plot::place(area, point.predicted->x, point.predicted->y);
      if (point.hue == RooflineHue::Guess) {  // on the axis: a mark at its place would hide the answer's
        at.x = area.x0 + 4 * s;
        const draw::Rect tick{area.x0 - 5 * s, at.y - 1.5f * s, area.x0 + 13 * s, at.y + 1.5f * s};
        draw::box(p.list, tick, c, s);
        f.ui.rects.put("guess", tick);
      } else if (!point.recorded) {
        plot::mark(p.list, plot::Mark::Circle, at, (point.part ? 4 : 6) * s, c, true, p.colours.panel, 2 * s);
      }
    }
    if (point.recorded) {
      const ImVec2 predicted = at;
      at = plot::place(area, point.recorded->x, point.recorded->y);
      if (point.predicted) whisker(p, at, predicted, c, 11 * s);
      plot::mark(p.list, plot::Mark::Circle, at, 6 * s, c, false, p.colours.panel, 2 * s);
    }
    f.ui.rects.put("mark " + point.label, {at.x - 6 * s, at.y - 6 * s, at.x + 6 * s, at.y + 6 * s});
    if (near(at)) under = &point;
    const float wide = (point.recorded && point.predicted ? 11 : 7) * s;
    labels.keep_free({at.x - wide, at.y - 7 * s, at.x + wide, at.y + 7 * s});
    labelled.push_back({&point, at});
  }
  for (const auto& [point, at] : labelled)
    label_point(f, p, labels, colour_of(p.colours, point->hue), *point, at,
                free_sides(at, labelled, 40 * s, 2 * p.fonts.tiny.size));
  for (const RooflineTrail& trail : m.trails)
    for (std::size_t i = 1; i < trail.line.size(); ++i)
      keep_line_free(labels, plot::place(area, trail.line[i - 1].x, trail.line[i - 1].y),
                     plot::place(area, trail.line[i].x, trail.line[i].y), s);
  for (const RoofLine& roof : m.roofs)
    if (!is_in_column(f, roof)) label_roof(f, p, labels, roof, area);
  for (const RoofLine& roof : m.roofs)
    if (roof.lower)
      keep_line_free(labels, plot::place(area, roof.from_x, roof.from_y), plot::place(area, roof.to_x, roof.to_y), s);
  if (shows_controls(f))
    for (const RooflineTrail& trail : m.trails) label_trail(f, p, labels, trail, area);
  draw_names_column(f, p, m.roofs, area, p.x + p.width);
  const Hit over = hit(f, "roofline plot", area);
  if (over.hovered && under) tooltip(f, under->detail);
  if (over.clicked && under && under->walk) f.push(*under->walk);
  p.y = area.y1 + 36 * s;
}

}  // namespace tilewalk
