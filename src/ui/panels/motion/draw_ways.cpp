// The ways of numbers and tiles over the panels, and what travels on them.
#include <algorithm>
#include <cmath>

#include "ui/panels/motion/flight.h"
#include "ui/panels/motion/motion_pen.h"
#include "ui/panels/motion/number_way.h"
#include "ui/present_layout.h"

namespace tilewalk {
namespace {

constexpr float kFromTitle = 9;     // between a title and a travelling number, in design pixels
constexpr float kLetterMargin = 3;  // left and right of a travelling number, in design pixels

// The x at which a way turns. A way that would cross text turns in the gap between the matrix and the panel at its
// side. A way from an operand to the output beside it turns in the operand's column. A way without a turn is straight.
std::optional<float> turn_between(const MotionPen& pen, const draw::Rect& from, const draw::Rect& to) {
  const draw::Rect &left = pen.f.layout.scores, &right = pen.f.layout.side;
  if (pen.f.views.present || right.x0 < left.x1 || right.x0 - left.x1 > 60 * pen.s) return std::nullopt;
  // From the memories at the left of the matrix, a tile turns into its row beside them.
  const draw::Rect& memory = pen.f.layout.memory;
  if (const auto leaves =
          [&](const draw::Rect& a, const draw::Rect& b) {
            return memory.holds(a.middle()) && left.holds(b.middle()) && memory.x1 <= left.x0;
          };
      leaves(from, to) || leaves(to, from))
    return (memory.x1 + left.x0) / 2;
  const bool starts = left.holds(from.middle()), ends = left.holds(to.middle());
  const auto operand = pen.m.places.all_of(PlaceKind::Operand, int(TensorId::V));
  if (!starts && !ends && operand && operand->holds(from.middle()) && to.x1 < operand->x0) return from.middle().x;
  const draw::Rect* const words = pen.m.places.find({PlaceKind::Words});
  const bool over_words = !starts && !ends && words && from.y1 <= words->y0 && to.y0 >= words->y1;
  return starts != ends || over_words ? std::optional((left.x1 + right.x0) / 2) : std::nullopt;
}

// All that has to stay readable, numbers without the margin of their cells; not the two ends of a way.
std::vector<draw::Rect> readable_places(const MotionPen& pen, const draw::Rect& from, const draw::Rect& to) {
  std::vector<draw::Rect> out;
  for (const auto& [place, r] : pen.m.places.at) {
    if (!has_text(place.kind) || from.holds(r.middle()) || to.holds(r.middle())) continue;
    const bool has_margin = place.kind != PlaceKind::Words && place.kind != PlaceKind::SramTile;
    // For a room a number travels in the line of the titles, where it would read as a part of one that is near.
    const float apart = pen.f.views.present && place.kind == PlaceKind::Words ? kFromTitle * pen.s : 0;
    out.push_back(has_margin ? r.inset(pen.s) : draw::Rect{r.x0 - apart, r.y0, r.x1 + apart, r.y1});
  }
  return out;
}

bool covers(const draw::Rect& r, const std::vector<draw::Rect>& readable) {
  return std::any_of(readable.begin(), readable.end(), [&](const draw::Rect& other) { return other.touches(r); });
}

// From the left of the matrix to the column at the right: along the upper edge of the matrix, so over no number.
std::vector<ImVec2> way_round_matrix(const MotionPen& pen, const draw::Rect& from, const draw::Rect& to) {
  const Layout& layout = pen.f.layout;
  const float left = (layout.memory.x1 + layout.scores.x0) / 2, right = (layout.scores.x1 + layout.side.x0) / 2,
              top = layout.scores.y0 - 3 * pen.s;
  const bool leaves = !layout.side.holds(from.middle());
  const ImVec2 a = from.middle(), b = to.middle();
  const float first = leaves ? left : right, last = leaves ? right : left;
  return {a, {first, a.y}, {first, top}, {last, top}, {last, b.y}, b};
}

// Among the cells of the matrix, where a lane is above them.
bool is_over_matrix(const MotionPen& pen, const draw::Rect& r) {
  const draw::Rect* const lane = pen.m.places.find({PlaceKind::Lane});
  const ImVec2 at = r.middle();
  return lane && at.x > lane->x0 && at.x < lane->x1 && at.y > lane->y1 && at.y < pen.f.layout.scores.y1;
}

// Between a cell and the column at the right: in the lane above the matrix, so over no cell of another tile.
std::vector<ImVec2> way_above_matrix(const MotionPen& pen, const draw::Rect& from, const draw::Rect& to, float turn) {
  const float y = pen.m.places.find({PlaceKind::Lane})->middle().y;
  const ImVec2 a = from.middle(), b = to.middle();
  if (is_over_matrix(pen, from)) return {a, {a.x, y}, {turn, y}, {turn, b.y}, b};
  return {a, {turn, a.y}, {turn, y}, {b.x, y}, b};
}

// While presenting, a number between the tile and the table leaves its row upward, and travels beside the titles above
// both: all its way in their line is free of numbers.
std::vector<ImVec2> way_in_lane(const PresentLayout& room, const draw::Rect& from, const draw::Rect& to) {
  const ImVec2 a = from.middle(), b = to.middle();
  if (room.tile.holds(a) == room.tile.holds(b)) return number_way(from, to, std::nullopt);
  const float lane = room.tile.y0 + room.title / 2;
  return {a, {a.x, lane}, {b.x, lane}, b};
}

std::vector<ImVec2> way_between(const MotionPen& pen, const draw::Rect& from, const draw::Rect& to) {
  const Layout& layout = pen.f.layout;
  if (pen.f.views.present) {
    const ImVec2& screen = ImGui::GetIO().DisplaySize;
    return way_in_lane(compute_present_layout(screen.x, screen.y, pen.f.session.tour().watches()), from, to);
  }
  const auto joins = [&](const draw::Rect& a, const draw::Rect& b) {
    return layout.memory.holds(a.middle()) && layout.side.holds(b.middle());
  };
  if (!is_compact(layout) && layout.memory.x1 <= layout.scores.x0 && layout.scores.x1 <= layout.side.x0 &&
      (joins(from, to) || joins(to, from)))
    return way_round_matrix(pen, from, to);
  const std::optional<float> turn = turn_between(pen, from, to);
  if (turn && is_over_matrix(pen, from) != is_over_matrix(pen, to)) return way_above_matrix(pen, from, to, *turn);
  return number_way(from, to, turn);
}

bool is_over_edge(const MotionPen& pen, const draw::Rect& chip) {
  const Layout& layout = pen.f.layout;
  if (pen.f.views.present) return false;
  const auto is_within = [&](const draw::Rect& panel) { return panel.holds(chip.min()) && panel.holds(chip.max()); };
  const draw::Rect& right = is_compact(layout) ? layout.flow : layout.side;  // the part of a column that is in view
  return !is_within(layout.memory) && !is_within(layout.scores) && !is_within(right);
}

// A way ends at the edge of the column of numbers: dots between them would read as figures.
bool is_in_side(const MotionPen& pen, const draw::Rect& dot) {
  return !is_compact(pen.f.layout) && pen.f.layout.side.holds(dot.middle());
}

// Between the matrix and the column of numbers a way has no dots: a line there belongs to neither panel.
bool is_in_gutter(const MotionPen& pen, const draw::Rect& dot) {
  const Layout& layout = pen.f.layout;
  return !is_compact(layout) && dot.x1 > layout.scores.x1 && dot.x0 < layout.side.x0;
}

// A number spends its time where it covers nothing that has to stay readable, no edge of a panel and no skipped tile,
// whose score it would seem to be; and at its two ends. It jumps over the rest. Returns its place as a share of its
// way; empty: it is nowhere.
struct WayStops {
  std::vector<float> at;
  std::optional<float> place(float share) const {
    if (at.empty()) return std::nullopt;
    const float exact = std::clamp(share, 0.0f, 1.0f) * float(at.size() - 1);
    const std::size_t i = std::size_t(exact), next = std::min(i + 1, at.size() - 1);
    return at[next] - at[i] < kNextStop ? at[i] + (at[next] - at[i]) * (exact - float(i)) : at[i];
  }
  std::optional<float> before(float place) const {
    const auto next = std::lower_bound(at.begin(), at.end(), place);
    return next == at.begin() ? std::nullopt : std::optional(*(next - 1));
  }
  static constexpr int kSamples = 48;
  static constexpr float kNextStop = 1.5f / kSamples;
};

bool shows_number(const MovingPlaces& places, const draw::Rect& r) {
  return std::none_of(places.blank.begin(), places.blank.end(),
                      [&](const draw::Rect& blank) { return r.holds(blank.middle()); });
}

// Two numbers on one line are at least the width of one apart.
bool is_near_another(const MovingPlaces& places, const draw::Rect& chip) {
  return std::any_of(places.chips.begin(), places.chips.end(), [&](const draw::Rect& other) {
    const float apart = std::max(chip.width(), other.width()), above = 2;
    return draw::Rect{other.x0 - apart, other.y0 - above, other.x1 + apart, other.y1 + above}.touches(chip);
  });
}

}  // namespace

bool has_text(PlaceKind kind) {
  return kind != PlaceKind::Lane && kind != PlaceKind::LiftedRow && kind != PlaceKind::RowGap &&
         kind != PlaceKind::Corridor && kind != PlaceKind::HbmTile && kind != PlaceKind::Skipped;
}

void draw_chip(const MotionPen& pen, const draw::Rect& from, const draw::Rect& to, float share, const std::string& text,
               ImU32 fill, ChipEnds ends) {
  constexpr int kAtSource = 3, kAtGoal = 3;  // stops
  const Font& font = pen.f.theme.fonts.mono_small;
  const float letters = draw::text_width(font, text), wide = letters / 2 + kLetterMargin * pen.s,
              high = font.em / 2 + 3 * pen.s;
  const auto round = [](const ImVec2& at, float w, float h) {
    return draw::Rect{at.x - w, std::round(at.y - h), at.x + w, std::round(at.y + h)};
  };
  // At an end it is no larger than its cell.
  const auto at_end = [&](const draw::Rect& end) {
    return round(end.middle(), std::min(wide, std::max(letters, end.width()) / 2), std::min(high, end.height() / 2));
  };
  const std::vector<draw::Rect> readable = readable_places(pen, from, to);
  const std::vector<ImVec2> way = way_between(pen, from, to);
  std::vector<draw::Rect> left_free = readable;
  const bool is_open = ends.arrives && !shows_number(pen.m.places, to);
  if (!is_open) left_free.push_back(to.inset(pen.s));
  left_free.push_back(from.inset(pen.s));  // on its way it covers no half of the number that it is a copy of
  for (const auto& [place, r] : pen.m.places.at)
    if (place.kind == PlaceKind::Skipped) left_free.push_back(r);
  const draw::Rect* const lane = pen.m.places.find({PlaceKind::Lane});
  if (lane && is_over_matrix(pen, from) != is_over_matrix(pen, to))
    left_free.push_back({lane->x0, lane->middle().y + high + 1, lane->x1, pen.f.layout.scores.y1});
  WayStops stops;
  if (ends.reads_as_source && !covers(at_end(from), readable)) stops.at.assign(kAtSource, 0.0f);
  for (int i = 1; i < WayStops::kSamples; ++i) {
    const float at = float(i) / WayStops::kSamples;
    const draw::Rect chip = round(point_along(way, at), wide, high);
    if (!covers(chip, left_free) && !is_over_edge(pen, chip)) stops.at.push_back(at);
  }
  if (is_open && !covers(at_end(to), readable)) stops.at.insert(stops.at.end(), kAtGoal, 1.0f);
  const auto box_at = [&](float place) {
    return place <= 0 ? at_end(from) : place >= 1 ? at_end(to) : round(point_along(way, place), wide, high);
  };
  std::optional<float> place = stops.place(share);
  while (place && is_near_another(pen.m.places, box_at(*place))) place = stops.before(*place);
  if (!place) return;
  const draw::Rect chip = box_at(*place);
  pen.m.places.chips.push_back(chip), pen.m.places.chip_fills.push_back(fill);
  draw::box(pen.list, chip, fill, 3 * pen.s, pen.c.background, 1.5f * pen.s);
  draw::text_in(pen.list, font, chip, ink_on(fill), text);
  pen.f.ui.rects.put("flying " + text, chip);
  pen.f.ui.rects.put("source of " + text, from);
  pen.f.ui.rects.put("goal of " + text, to);
}

void draw_dots(const MotionPen& pen, const std::vector<ImVec2>& way, DottedWay& drawn, ImU32 ink,
               const std::function<bool(const draw::Rect&)>& is_left_out) {
  const float radius = 1.3f * pen.s, each = 6 * pen.s;
  float length = 0;
  for (std::size_t i = 0; i + 1 < way.size(); ++i)
    length += std::hypot(way[i + 1].x - way[i].x, way[i + 1].y - way[i].y);
  const int count = std::max(1, int(length / each));
  for (int i = 0; i < count; ++i) {
    const ImVec2 at = point_along(way, (float(i) + 0.5f) / float(count));
    const draw::Rect dot{at.x - radius, at.y - radius, at.x + radius, at.y + radius};
    if (is_left_out(dot)) continue;
    pen.list->AddCircleFilled(at, radius, ink, 8);
    drawn.dots.push_back(dot);
  }
}

void draw_dotted_way(const MotionPen& pen, const draw::Rect& from, const draw::Rect& to, const std::string& name,
                     ImU32 ink) {
  if (pen.f.views.present) return;  // its numbers are too near one another
  std::vector<draw::Rect> readable = readable_places(pen, from, to);
  for (const auto& [place, r] : pen.m.places.at)
    if (place.kind == PlaceKind::Skipped) readable.push_back(r);
  DottedWay& drawn = pen.f.ui.of<DottedWays>().begin_way("way of ", name);
  draw_dots(pen, way_between(pen, from, to), drawn, ink, [&](const draw::Rect& dot) {
    return from.holds(dot.middle()) || to.holds(dot.middle()) || covers(dot, readable) || is_in_side(pen, dot) ||
           is_in_gutter(pen, dot);
  });
}

DottedWay& DottedWays::begin_way(const char* kind, const std::string& name) {
  if (used == ways.size()) ways.emplace_back();
  DottedWay& way = ways[used++];
  way.name = kind;
  way.name += name;
  way.dots.clear();
  return way;
}

}  // namespace tilewalk
