// The ways of numbers and tiles over the panels, and what travels on them.
#include <algorithm>
#include <cmath>

#include "ui/panels/motion/flight.h"
#include "ui/panels/motion/motion_pen.h"
#include "ui/panels/motion/number_way.h"

namespace tilewalk {
namespace {

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

// Numbers beside a way's ends, in their rows and columns: what travels may pass over them.
bool is_beside(const MovingPlace& place, const draw::Rect& r, const draw::Rect& end) {
  if (place.kind != PlaceKind::Score && place.kind != PlaceKind::Figure && place.kind != PlaceKind::Output &&
      place.kind != PlaceKind::Operand)
    return false;
  const bool in_row = std::abs(r.middle().y - end.middle().y) < 1,
             in_column = std::abs(r.middle().x - end.middle().x) < 1;
  return in_row || (in_column && place.kind != PlaceKind::Figure);
}

// All that has to stay readable, numbers without the margin of their cells: not the two ends of a way, nor the numbers
// of their rows and columns.
std::vector<draw::Rect> readable_places(const MotionPen& pen, const draw::Rect& from, const draw::Rect& to) {
  std::vector<draw::Rect> out;
  for (const auto& [place, r] : pen.m.places.at) {
    if (!has_text(place.kind)) continue;
    const bool is_end = is_inside(r.middle(), from) || is_inside(r.middle(), to);
    const bool has_margin = place.kind != PlaceKind::Words && place.kind != PlaceKind::SramTile;
    if (!is_end && !is_beside(place, r, from) && !is_beside(place, r, to))
      out.push_back(has_margin ? r.inset(pen.s) : r);
  }
  return out;
}

bool covers(const draw::Rect& r, const std::vector<draw::Rect>& readable) {
  return std::any_of(readable.begin(), readable.end(), [&](const draw::Rect& other) { return other.touches(r); });
}

// x, moved as little as a number needs to cover nothing readable at its left and right, between y0 and y1. half: of the
// number's width.
float fitting_x(float x, float y0, float y1, float half, const std::vector<draw::Rect>& readable) {
  float least = x - half, most = x + half;
  for (const draw::Rect& r : readable) {
    if (r.y1 <= y0 || r.y0 >= y1) continue;
    if (r.middle().x < x)
      least = std::max(least, r.x1);
    else
      most = std::min(most, r.x0);
  }
  // Pushed from one side it may go as far to the other as that leaves free.
  return least > x - half ? least + half : most < x + half ? most - half : x;
}

std::vector<ImVec2> way_between(const MotionPen& pen, const draw::Rect& from, const draw::Rect& to, const ImVec2& half,
                                const std::vector<draw::Rect>& readable) {
  std::optional<float> turn = turn_between(pen, from, to);
  const float top = std::min(from.middle().y, to.middle().y) - half.y,
              low = std::max(from.middle().y, to.middle().y) + half.y;
  if (turn && !is_inside({*turn, from.middle().y}, from)) turn = fitting_x(*turn, top, low, half.x, readable);
  return number_way(from, to, turn);
}

}  // namespace

bool is_inside(const ImVec2& at, const draw::Rect& r) {
  return at.x > r.x0 && at.x < r.x1 && at.y > r.y0 && at.y < r.y1;
}

bool has_text(PlaceKind kind) {
  return kind != PlaceKind::RowGap && kind != PlaceKind::Corridor && kind != PlaceKind::HbmTile &&
         kind != PlaceKind::Skipped;
}

// Whole where it covers nothing that has to stay readable and no skipped tile, whose score it would seem to be; else a
// dot, else nothing.
void draw_chip(const MotionPen& pen, const draw::Rect& from, const draw::Rect& to, float share, const std::string& text,
               ImU32 fill) {
  const Font& font = pen.f.theme.fonts.mono_small;
  const float wide = draw::text_width(font, text) / 2 + kLetterMargin * pen.s, high = font.em / 2 + 3 * pen.s,
              radius = kDotRadius * pen.s;
  const std::vector<draw::Rect> readable = readable_places(pen, from, to);
  const ImVec2 at = point_along(way_between(pen, from, to, {wide, high}, readable), share);
  const draw::Rect chip{at.x - wide, std::round(at.y - high), at.x + wide, std::round(at.y + high)},
      dot{at.x - radius, at.y - radius, at.x + radius, at.y + radius};
  const bool over_skipped = std::any_of(pen.m.places.at.begin(), pen.m.places.at.end(), [&](const auto& each) {
    return each.first.kind == PlaceKind::Skipped && each.second.touches(chip);
  });
  if (!over_skipped && !covers(chip, readable)) {
    draw::box(pen.list, chip, fill, 3 * pen.s, pen.c.background, 1.5f * pen.s);
    draw::text_in(pen.list, font, chip, ink_on(fill), text);
    pen.f.ui.rects.put("flying " + text, chip);
  } else if (!covers(dot, readable)) {
    draw::box(pen.list, dot, fill, radius, pen.c.background, 1.5f * pen.s);
    pen.f.ui.rects.put("flying dot " + text, dot);
  }
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
  const std::vector<draw::Rect> readable = readable_places(pen, from, to);
  DottedWay& drawn = pen.f.ui.of<DottedWays>().begin_way("way of ", name);
  draw_dots(pen, number_way(from, to, turn_between(pen, from, to)), drawn, ink, [&](const draw::Rect& dot) {
    return is_inside(dot.middle(), from) || is_inside(dot.middle(), to) || covers(dot, readable);
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
