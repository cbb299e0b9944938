#include "ui/panels/motion/flight.h"

#include <algorithm>
#include <cmath>

namespace tilewalk {
namespace {

// Of the way down: a speck until the first, as large as its place and its name from the second on, whole at the third.
constexpr float kOnWire = 0.16f, kNamed = 0.18f, kGrown = 0.28f;
constexpr float kSpeck = 5, kLane = 2, kTileTall = 68, kTileWide = 84, kFlightEdge = 5;  // in design pixels

draw::Rect box_round(const ImVec2& at, float wide, float high) {
  return {at.x - wide / 2, at.y - high / 2, at.x + wide / 2, at.y + high / 2};
}

}  // namespace

ImVec2 point_along(const std::vector<ImVec2>& way, float share) {
  float all = 0;
  const auto length = [&](std::size_t i) { return std::hypot(way[i + 1].x - way[i].x, way[i + 1].y - way[i].y); };
  for (std::size_t i = 0; i + 1 < way.size(); ++i) all += length(i);
  float left = all * std::clamp(share, 0.0f, 1.0f);
  for (std::size_t i = 0; i + 1 < way.size(); ++i) {
    const float here = length(i);
    if (left <= here && here > 0)
      return {way[i].x + (way[i + 1].x - way[i].x) * left / here, way[i].y + (way[i + 1].y - way[i].y) * left / here};
    left -= here;
  }
  return way.back();
}

float FlightPlan::tile_height() const {
  return corridor ? std::min(kTileTall * s, corridor->height() - 2 * kFlightEdge * s) : kTileTall * s;
}

std::vector<ImVec2> FlightPlan::wire() const {
  const float below = hbm.y1 + gap / 2;
  if (!corridor) return {hbm.middle(), sram.middle()};
  const float lane = lane_at_right ? hbm.x1 + kLane * s : hbm.x0 - kLane * s,
              entry = corridor->y0 + kFlightEdge * s + tile_height() / 2;
  return {{hbm.middle().x, hbm.y1}, {hbm.middle().x, below}, {lane, below}, {lane, corridor->y0}, {x, entry}};
}

std::vector<ImVec2> FlightPlan::curve() const {
  constexpr float kRound = 14;  // in design pixels
  constexpr int kPieces = 6;    // of a corner
  std::vector<ImVec2> way = corridor ? wire() : std::vector<ImVec2>{{hbm.middle().x, hbm.y1}};
  way.push_back({sram.middle().x, sram.y0});
  std::vector<ImVec2> out{way.front()};
  for (std::size_t i = 1; i + 1 < way.size(); ++i) {
    const ImVec2 &a = way[i - 1], &b = way[i], &c = way[i + 1];
    const float before = std::hypot(b.x - a.x, b.y - a.y), after = std::hypot(c.x - b.x, c.y - b.y),
                round = std::min({kRound * s, before / 2, after / 2});
    if (round <= 0) continue;
    const ImVec2 from{b.x + (a.x - b.x) * round / before, b.y + (a.y - b.y) * round / before},
        to{b.x + (c.x - b.x) * round / after, b.y + (c.y - b.y) * round / after};
    for (int k = 0; k <= kPieces; ++k) {
      const float t = float(k) / kPieces, u = 1 - t;
      out.push_back({u * u * from.x + 2 * u * t * b.x + t * t * to.x, u * u * from.y + 2 * u * t * b.y + t * t * to.y});
    }
  }
  out.push_back(way.back());
  return out;
}

void spread(std::vector<FlightPlan*> all, const draw::Rect& room) {
  if (all.empty()) return;
  std::sort(all.begin(), all.end(),
            [](const FlightPlan* a, const FlightPlan* b) { return a->sram.middle().x < b->sram.middle().x; });
  const float s = all[0]->s;
  const float each = room.width() / float(all.size());
  float middle = 0;
  for (FlightPlan* plan : all) {
    plan->wide = std::max(plan->sram.width(), std::min(kTileWide * s, each - 6 * s));
    middle += plan->sram.middle().x / float(all.size());
  }
  // As near to their places in SRAM as they fit.
  const float pitch = std::min(each, (kTileWide + 8) * s), half = pitch * float(all.size()) / 2;
  middle = std::max(room.x0 + half, std::min(middle, room.x1 - half));
  for (std::size_t i = 0; i < all.size(); ++i) all[i]->x = middle - half + pitch * (float(i) + 0.5f);
}

Flight flight_at(const FlightPlan& plan, float down) {
  const float s = plan.s, landed = std::min(1.08f * plan.sram.width(), plan.sram.width() + 5 * s);
  if (!plan.corridor) {
    const ImVec2 a = plan.hbm.middle(), b = plan.sram.middle();
    const float w = 1.06f * std::max(plan.hbm.width(), plan.sram.width()),
                h = std::max(plan.hbm.height(), plan.sram.height());
    return {box_round({a.x + (b.x - a.x) * down, a.y + (b.y - a.y) * down}, w, h)};
  }
  const float speck = std::clamp(plan.gap, 2 * s, kSpeck * s);
  const std::vector<ImVec2> way = plan.wire();
  if (down < kOnWire) return {box_round(point_along(way, down / kOnWire), speck, speck), true};
  const ImVec2 from = way.back(), to = plan.sram.middle();
  const float small = std::min(plan.tile_height(), plan.sram.height());
  if (down < kNamed) {
    const float named = (down - kOnWire) / (kNamed - kOnWire);
    return {box_round(from, speck + (landed - speck) * named, speck + (small - speck) * named), true};
  }
  // It gets as small as its place, and nears it from the side, before it is level with the places beside that.
  const float grown = std::clamp((down - kNamed) / (kGrown - kNamed), 0.0f, 1.0f),
              fallen = std::clamp((down - kGrown) / (1 - kGrown), 0.0f, 1.0f),
              above = std::max(0.0f, 1 - plan.sram.height() / std::max(1.0f, to.y - from.y)),
              folded = fallen < above ? fallen / above : 1, size = grown * (1 - folded);
  return {box_round({from.x + (to.x - from.x) * folded, from.y + (to.y - from.y) * fallen},
                    landed + (plan.wide - landed) * size, small + (plan.tile_height() - small) * size),
          false, fallen};
}

std::optional<FlightLabels> flight_labels(const draw::Rect& corridor, const std::vector<draw::Rect>& sram, float wide,
                                          float high, float s) {
  if (sram.empty()) return std::nullopt;
  float least = corridor.x1, most = corridor.x0;
  for (const draw::Rect& r : sram) least = std::min(least, r.x0 - 3 * s), most = std::max(most, r.x1 + 3 * s);
  const float margin = 12 * s, gap = 6 * s, top = (corridor.y0 + corridor.y1 - high) / 2;
  if (corridor.x1 - margin - wide >= most + gap)
    return FlightLabels{{corridor.x1 - margin - wide, top, corridor.x1 - margin, top + high}, true};
  if (corridor.x0 + margin + wide <= least - gap)
    return FlightLabels{{corridor.x0 + margin, top, corridor.x0 + margin + wide, top + high}, false};
  return std::nullopt;
}

}  // namespace tilewalk
