#include "pages/tree/tree_grid.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace tilewalk {
namespace {

constexpr float kLeastRow = 50, kMostRow = 120, kWordsHigh = 218;  // heights, before scaling
constexpr float kArrow = 14;                                       // between the last track and a box

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

float port_y(const draw::Rect& box, int port, float step) { return (box.y0 + box.y1) / 2 + float(port) * step; }

}  // namespace

// The longest title of a lane has two lines.
float lane_names(const Panel& p, const TreeModel& m) {
  float names = 0;
  for (const TreeLane& lane : m.lanes) {
    const std::size_t comma = lane.title.find(", ");
    const std::string first = comma == std::string::npos ? lane.title : lane.title.substr(0, comma + 1);
    names = std::max(names, draw::text_width(p.fonts.body, first));
    if (comma != std::string::npos)
      names = std::max(names, draw::text_width(p.fonts.body, lane.title.substr(comma + 2)));
  }
  return std::min(names + 2 * p.s, p.width * 0.18f);
}

TreeGrid tree_grid(const Panel& p, const TreeModel& m) {
  const float s = p.s;
  const float names = lane_names(p, m) + 14 * s;
  TreeGrid g;
  g.step = std::max(8.0f, 8 * s);
  g.x = p.x + names;
  g.y = p.y + 20 * s;
  int channels = 1;
  for (const int each : m.edges.channels) channels = std::max(channels, each);
  g.between = g.step * float(channels + 1);
  float gutters = 0;
  const auto gutter = [&](std::size_t i) {
    return m.edges.tracks[i] == 0 ? 10 * s : g.step * float(m.edges.tracks[i]) + kArrow * s;
  };
  const std::size_t columns = m.columns.size();
  for (std::size_t i = 0; i + 1 < columns; ++i) gutters += gutter(i);
  g.wide = (p.width - names - 4 * s - gutters) / float(std::max<std::size_t>(1, columns));
  float x = g.x + 4 * s;
  for (std::size_t i = 0; i < columns; ++i) {
    g.lefts.push_back(x);
    x += g.wide + gutter(i);
  }
  // In a high window the words below get a part of what the rows gain.
  const float high = p.rect.y1 - g.y, room = high - kWordsHigh * s - std::max(0.0f, high - 780 * s) * 0.33f;
  g.row = std::clamp(room / float(std::max(1, m.rows)), kLeastRow * s, kMostRow * s);
  return g;
}

std::vector<ImVec2> points_of(const EdgeRoute& route, const TreeBox& parent, const TreeBox& child, const TreeGrid& g) {
  const draw::Rect from = g.box(parent.column, parent.row), to = g.box(child.column, child.row);
  const float out_y = port_y(from, route.out, g.step), in_y = port_y(to, route.in, g.step);
  const auto track = [&](int gutter, int at) { return g.left(gutter) + g.wide + g.step * (float(at) + 0.75f); };
  if (route.kind == RouteKind::Upright) {
    const float x = from.x0 + g.wide * 0.12f;
    return from.y0 < to.y0 ? std::vector<ImVec2>{{x, from.y1}, {x, to.y0}}
                           : std::vector<ImVec2>{{x, from.y0}, {x, to.y1}};
  }
  if (route.kind == RouteKind::Straight) return {{from.x1, out_y}, {to.x0, in_y}};
  if (route.kind == RouteKind::Beside) {
    const float x = track(route.gutter, route.track);
    return {{from.x0, out_y}, {x, out_y}, {x, in_y}, {to.x0, in_y}};
  }
  const float x = track(route.gutter, route.track);
  if (route.kind != RouteKind::Channel) {
    return {{from.x1, out_y}, {x, out_y}, {x, in_y}, {to.x0, in_y}};
  }
  const float y = g.y + g.row * float(route.channel) - g.between / 2 + g.step * float(route.channel_track + 1),
              x_in = track(route.gutter_in, route.track_in);
  return {{from.x1, out_y}, {x, out_y}, {x, y}, {x_in, y}, {x_in, in_y}, {to.x0, in_y}};
}

void draw_edges(const UiFrame& f, const Panel& p, const TreeModel& m, const TreeGrid& g) {
  const ImU32 plain = mix(p.colours.panel, p.colours.muted, 0.6f);
  for (const bool chosen : {false, true})
    for (std::size_t i = 0; i < m.lines.size(); ++i) {
      const TreeLine& line = m.lines[i];
      if (line.chosen != chosen) continue;
      const std::vector<ImVec2> points =
          points_of(m.edges.routes[i], m.boxes[std::size_t(line.from)], m.boxes[std::size_t(line.to)], g);
      const ImU32 colour = chosen ? p.colours.accent : plain;
      draw_path(p, points, colour, (chosen ? 2.2f : 1.3f) * p.s);
      const float head = 3.5f * p.s;  // at the later box
      const ImVec2 end = points.back();
      if (m.edges.routes[i].kind == RouteKind::Upright) {
        const float along = end.y > points.front().y ? head : -head;
        p.list->AddTriangleFilled({end.x, end.y + along / 2}, {end.x - head, end.y - along},
                                  {end.x + head, end.y - along}, colour);
      } else {
        p.list->AddTriangleFilled({end.x + head / 2, end.y}, {end.x - head, end.y - head}, {end.x - head, end.y + head},
                                  colour);
      }
      for (std::size_t k = 0; k + 1 < points.size(); ++k)
        f.ui.rects.put(fmt::format("line {} {}", i, k),
                       {std::min(points[k].x, points[k + 1].x), std::min(points[k].y, points[k + 1].y),
                        std::max(points[k].x, points[k + 1].x), std::max(points[k].y, points[k + 1].y)});
    }
}

float visited_share(const TreeOrder& order, std::size_t tile, double t) {
  int visits = 0;  // of the tile's thread block
  for (std::size_t i = 0; i < order.time.size(); ++i)
    if (order.block[i] == order.block[tile]) visits = std::max(visits, order.time[i]);
  return float(std::clamp(t * double(visits) - double(order.time[tile] - 1), 0.0, 1.0));
}

ImU32 tile_colour(const Palette& c, const TreeOrder& order, std::size_t tile, double t) {
  const ImU32 whole = viridis((float(order.block[tile]) + 0.5f) / float(order.blocks));
  return mix(mix(c.panel, whole, 0.2f), whole, visited_share(order, tile, t));
}

// Tiles of scores, a colour for each thread block, and an arrow through the tiles of the first one in their order.
void draw_loop(const UiFrame& f, const Panel& p, const TreeOrder& order, const draw::Rect& r, const std::string& name,
               double t) {
  if (order.side == 0) return;
  const float side = r.width() / float(order.side), gap = std::max(1.0f, p.s);
  std::vector<ImVec2> way(order.time.size());
  std::size_t visits = 0;
  for (int q = 0; q < order.side; ++q)
    for (int k = 0; k < order.side; ++k) {
      const auto at = std::size_t(q * order.side + k);
      const draw::Rect cell{r.x0 + float(k) * side, r.y0 + float(q) * side, r.x0 + float(k + 1) * side - gap,
                            r.y0 + float(q + 1) * side - gap};
      draw::box(p.list, cell, tile_colour(p.colours, order, at, t), gap);
      if (order.block[at] != 0 || order.time[at] < 1 || visited_share(order, at, t) <= 0) continue;
      way[std::size_t(order.time[at] - 1)] = {(cell.x0 + cell.x1) / 2, (cell.y0 + cell.y1) / 2};
      visits = std::max(visits, std::size_t(order.time[at]));
    }
  f.ui.rects.put(name + " loop", r);
  if (visits < 2) return;
  way.resize(visits);
  const ImU32 ink = ink_on(viridis(0.5f / float(order.blocks)));
  p.list->AddPolyline(way.data(), int(way.size()), ink, 0, std::max(1.0f, 1.4f * p.s));
  const ImVec2 end = way.back(), before = way[visits - 2];
  const float dx = end.x - before.x, dy = end.y - before.y, far = std::hypot(dx, dy),
              head = std::min(side * 0.45f, 5 * p.s);
  const ImVec2 along(dx / far * head, dy / far * head);
  p.list->AddTriangleFilled({end.x + along.x * 0.7f, end.y + along.y * 0.7f},
                            {end.x - along.x * 0.5f - along.y * 0.7f, end.y - along.y * 0.5f + along.x * 0.7f},
                            {end.x - along.x * 0.5f + along.y * 0.7f, end.y - along.y * 0.5f - along.x * 0.7f}, ink);
}

namespace {

struct KeyEntry {
  float mark;  // its width
  std::string words;
  std::function<void(float at, float y)> draw;
};

std::vector<KeyEntry> key_of(const Panel& p, const TreeModel& m, bool drawn, bool published) {
  const float s = p.s;
  std::vector<KeyEntry> out;
  if (drawn)
    out.push_back({20 * s, "built on it", [&p, s](float at, float y) {
                     p.list->AddLine({at, y}, {at + 16 * s, y}, p.colours.muted, 1.5f * s);
                     p.list->AddTriangleFilled({at + 20 * s, y}, {at + 14 * s, y - 4 * s}, {at + 14 * s, y + 4 * s},
                                               p.colours.muted);
                   }});
  out.push_back({8 * s, "a tab here shows it", [&p, s](float at, float y) {
                   p.list->AddCircleFilled({at + 4 * s, y}, 3.5f * s, p.colours.good);
                 }});
  if (drawn)
    out.push_back({14 * s, "its loop, a colour for each thread block", [&p, s](float at, float y) {
                     for (int i = 0; i < 3; ++i)
                       draw::box(p.list, {at, y + (float(i) * 5 - 7) * s, at + 14 * s, y + (float(i) * 5 - 3) * s},
                                 viridis((float(i) + 0.5f) / 3), s);
                   }});
  if (!m.raced.empty())
    out.push_back({24 * s, m.raced + "; tick: naive", [&p, s](float at, float y) {
                     draw::box(p.list, {at, y - 2 * s, at + 24 * s, y + 2 * s}, p.colours.accent, 2 * s);
                     draw::box(p.list, {at + 7 * s, y - 4 * s, at + 8.5f * s, y + 4 * s}, p.colours.text, 0);
                   }});
  if (published)
    out.push_back({draw::text_width(p.fonts.tiny, "2×"), "as published", [&p](float at, float y) {
                     draw::text(p.list, p.fonts.tiny, at, y - p.fonts.tiny.size / 2, p.colours.muted, "2×");
                   }});
  out.push_back({0, "~ approximate", [](float, float) {}});
  return out;
}

}  // namespace

void draw_key(const UiFrame& f, Panel& p, const TreeModel& m, bool drawn, bool published) {
  const float s = p.s, line = draw::leading(p.fonts.body), gap = 14 * s;
  const std::vector<KeyEntry> key = key_of(p, m, drawn, published);
  float x = p.x;
  for (const KeyEntry& entry : key) {
    const float before = entry.mark > 0 ? entry.mark + 6 * s : 0,
                wide = before + draw::text_width(p.fonts.body, entry.words);
    if (x > p.x && x + wide > p.x + p.width) x = p.x, p.y += line;
    entry.draw(x, p.y + p.fonts.body.size / 2);
    draw::text(p.list, p.fonts.body, x + before, p.y, p.colours.text,
               draw::elided(p.fonts.body, entry.words, p.x + p.width - x - before));
    f.ui.rects.put("key " + entry.words, {x, p.y, x + wide, p.y + line});
    x += wide + gap;
  }
  p.y += line + 6 * s;
}

}  // namespace tilewalk
