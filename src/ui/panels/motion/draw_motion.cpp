// What travels over the panels: tiles between the memories and the matrix, and values on their way to what they make.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/units.h"
#include "ui/panels/motion/flight.h"
#include "ui/panels/motion/moving.h"
#include "view/words/units.h"

namespace tilewalk {
namespace {

struct Pen {
  const UiFrame& f;
  const Moving& m;
  ImDrawList* list;
  float s;
  const Palette& c;
};

ImVec2 centre(const draw::Rect& r) { return {(r.x0 + r.x1) / 2, (r.y0 + r.y1) / 2}; }

bool is_in(const ImVec2& at, const draw::Rect& r) { return at.x > r.x0 && at.x < r.x1 && at.y > r.y0 && at.y < r.y1; }

draw::Rect between(const draw::Rect& a, const draw::Rect& b, float share) {
  const auto at = [share](float from, float to) { return from + (to - from) * share; };
  return {at(a.x0, b.x0), at(a.y0, b.y0), at(a.x1, b.x1), at(a.y1, b.y1)};
}

// On an arc from one point to another, bent to the left of the way.
ImVec2 on_arc(const ImVec2& a, const ImVec2& b, float share) {
  const float bend = 0.1f * 4 * share * (1 - share);
  return {a.x + (b.x - a.x) * share + (b.y - a.y) * bend, a.y + (b.y - a.y) * share - (b.x - a.x) * bend};
}

// A tile as it travels: its name on its colour, with the lines of its rows and a shadow below it.
void draw_tile(const Pen& pen, const MovingTile& tile, const draw::Rect& r) {
  const ImU32 fill = hue(pen.c, tile.tensor);
  draw::box(pen.list, {r.x0 + 4 * pen.s, r.y0 + 5 * pen.s, r.x1 + 4 * pen.s, r.y1 + 5 * pen.s},
            with_alpha(pen.c.dark ? IM_COL32(0, 0, 0, 255) : pen.c.muted, 0.35f), 5 * pen.s);
  draw::box(pen.list, r, fill, 5 * pen.s, pen.c.now_line, 1.5f * pen.s);
  const std::int64_t lines = std::min<std::int64_t>(tile.pieces, 8);
  for (std::int64_t i = 1; i < lines; ++i) {
    const float y = r.y0 + r.height() * float(i) / float(lines);
    pen.list->AddLine(ImVec2(r.x0 + 3 * pen.s, y), ImVec2(r.x1 - 3 * pen.s, y), with_alpha(ink_on(fill), 0.18f),
                      draw::hairline());
  }
  const Font& font = pen.f.theme.fonts.strong;
  if (draw::text_width(font, tile.label) < r.width()) draw::text_in(pen.list, font, r, ink_on(fill), tile.label);
}

// Where a tile's numbers stand: beside the matrix or the output, in the output, or in the matrix itself.
std::optional<draw::Rect> numbers_of(const MovingPlaces& places, TensorId id) {
  if (const auto operand = places.all_of(PlaceKind::Operand, int(id))) return operand;
  for (const QuantityRow& row : quantity_ledger()) {
    if (row.tensor != id) continue;
    const PlaceKind kind = row.shape == QuantityShape::Cell  ? PlaceKind::Score
                           : row.shape == QuantityShape::Row ? PlaceKind::Figure
                                                             : PlaceKind::Output;
    if (const auto found = places.all_of(kind, int(row.id))) return found;
  }
  return std::nullopt;
}

// Its chip in SRAM, else a free place there.
std::optional<draw::Rect> place_in_sram(const Pen& pen, const MovingTile& tile) {
  if (const draw::Rect* chip = pen.m.places.find({PlaceKind::SramTile, int(tile.tensor), 0, 0, tile.label}))
    return *chip;
  const draw::Rect* const all = pen.m.places.find({PlaceKind::SramTile, -1});
  if (!all) return std::nullopt;
  const ImVec2 middle = centre(*all);
  const float wide = std::min(all->width(), 46 * pen.s) / 2, high = std::min(all->height(), 30 * pen.s) / 2;
  return draw::Rect{middle.x - wide, middle.y - high, middle.x + wide, middle.y + high};
}

// The second hop, from SRAM to the edge of the matrix: an outline, so that it hides no number on its way.
void draw_unfolding(const Pen& pen, const MovingTile& tile, const draw::Rect& sram) {
  const std::optional<draw::Rect> numbers = numbers_of(pen.m.places, tile.tensor);
  if (!tile.unfolding.is_under_way(pen.m.t) || !numbers) return;
  const float share = float(tile.unfolding.share(pen.m.t));
  const draw::Rect r = between(sram, *numbers, tile.to_sram ? share : 1 - share);
  draw::box(pen.list, r, with_alpha(hue(pen.c, tile.tensor), 0.12f), 5 * pen.s, hue(pen.c, tile.tensor), 2 * pen.s);
}

struct CrossingTile {
  const MovingTile* tile;
  FlightPlan plan;
};

std::string landed_text(const Pen& pen, const MovingTile& tile) {
  return tile.label + " " + part_of_text(format_bytes(tile.bytes_landed(pen.m.t)), format_bytes(tile.bytes));
}

// "K1 56 of 64 B", a line each, beside all that crosses.
void draw_landed(const Pen& pen, const std::vector<CrossingTile>& all, const draw::Rect& place) {
  const Font& font = pen.f.theme.fonts.mono_small;
  float y = place.y0;
  for (const CrossingTile& each : all) {
    const draw::Rect line{place.x0, y, place.x1, y + draw::leading(font)};
    draw::text(pen.list, font, line.x0, y, mix(hue(pen.c, each.tile->tensor), pen.c.text, pen.c.dark ? 0.2f : 0.55f),
               landed_text(pen, *each.tile));
    pen.f.ui.rects.put("label " + each.tile->label, line);
    y = line.y1;
  }
}

void draw_crossings(const Pen& pen) {
  const MovingPlaces& places = pen.m.places;
  const draw::Rect* const corridor = places.find({PlaceKind::Corridor});
  const draw::Rect* const gap = places.find({PlaceKind::RowGap});
  std::vector<CrossingTile> all;
  std::vector<draw::Rect> chips;
  float wide = 0;
  for (const MovingTile& tile : pen.m.motion.tiles) {
    const draw::Rect* const hbm = places.find({PlaceKind::HbmTile, int(tile.tensor), 0, 0, tile.in_hbm});
    const std::optional<draw::Rect> sram = place_in_sram(pen, tile);
    if (!hbm || !sram) continue;
    draw_unfolding(pen, tile, *sram);
    all.push_back(
        {&tile,
         {*hbm, *sram, corridor ? std::optional(*corridor) : std::nullopt, false, gap ? gap->height() : 0, pen.s}});
    chips.push_back(*sram);
    const std::string whole = format_bytes(tile.bytes);
    wide =
        std::max(wide, draw::text_width(pen.f.theme.fonts.mono_small, tile.label + " " + part_of_text(whole, whole)));
  }
  const float line = draw::leading(pen.f.theme.fonts.mono_small);
  const auto labels = corridor ? flight_labels(*corridor, chips, wide, line * float(all.size()), pen.s) : std::nullopt;
  if (labels && labels->at.height() <= corridor->height()) draw_landed(pen, all, labels->at);
  for (CrossingTile& each : all) {
    const MovingTile& tile = *each.tile;
    if (!tile.crossing.is_under_way(pen.m.t)) continue;
    each.plan.lane_at_right = labels && !labels->at_right;
    const float share = float(tile.crossing.share(pen.m.t));
    const Flight flight = flight_at(each.plan, tile.to_sram ? share : 1 - share);
    const ImU32 ink = hue(pen.c, tile.tensor);
    const std::vector<ImVec2> wire = each.plan.wire();
    for (std::size_t i = 0; i + 1 < wire.size(); ++i)
      pen.list->AddLine(wire[i], wire[i + 1], with_alpha(ink, 0.6f), pen.s);
    pen.f.ui.rects.put((flight.is_speck ? "speck " : "flight ") + tile.label, flight.at);
    if (flight.is_speck)
      draw::box(pen.list, flight.at, ink, 1.5f * pen.s);
    else
      draw_tile(pen, tile, flight.at);
  }
}

// What one element is made from: the places of a number, or of a row or column of them.
struct Source {
  std::vector<draw::Rect> each;
  draw::Rect all;
  ImU32 colour;
  std::vector<float> weights = {};  // of each, from 0 to 1; empty: all alike
};

MovingPlace place_of(QuantityShape shape, Quantity quantity, std::int64_t row, std::int64_t col) {
  switch (shape) {
    case QuantityShape::Cell: return {PlaceKind::Score, int(quantity), row, col};
    case QuantityShape::Row: return {PlaceKind::Figure, int(quantity), row, 0};
    default: break;
  }
  // A product by itself, as FA-1 makes it, waits where it will be added.
  return {PlaceKind::Output, int(ledger_row(quantity).tensor ? quantity : Quantity::O), row, col};
}

// P of a cell of the tile at hand; 1 where the state has none.
float weight_at(const Pen& pen, std::int64_t row, std::int64_t col) {
  const State& state = pen.f.session.state();
  const std::int64_t i = row - state.step.row_begin, j = col - state.step.col_begin, cols = state.step.cols();
  if (i < 0 || j < 0 || j >= cols || std::int64_t(state.p.size()) <= i * cols + j) return 1;
  return std::clamp(state.p[std::size_t(i * cols + j)], 0.0f, 1.0f);
}

// All places of a kind in a row, in a column, or at both.
Source line_of(const Pen& pen, PlaceKind kind, int of, std::optional<std::int64_t> row, std::optional<std::int64_t> col,
               ImU32 colour) {
  Source out{.each = {}, .all = {}, .colour = colour};
  for (const auto& [place, r] : pen.m.places.at) {
    if (place.kind != kind || (of >= 0 && place.of != of) || (row && place.row != *row) || (col && place.col != *col))
      continue;
    out.all = out.each.empty() ? r : out.all.joined(r);
    out.each.push_back(r);
    if (kind == PlaceKind::Score) out.weights.push_back(weight_at(pen, place.row, place.col));
  }
  return out;
}

// A score is a row of the left operand by a row of the upper one; an output is a row or a column of weights by a column
// of what they weigh.
Source source_of(const Pen& pen, const MadeFrom& from, const MovingValues& v, std::int64_t row, std::int64_t col) {
  constexpr auto kAny = std::nullopt;
  if (!from.quantity) {
    const int input = int(from.input);
    const ImU32 colour = hue(pen.c, from.input);
    const bool upper = from.input == TensorId::K || from.input == TensorId::V;
    Source numbers = v.shape == QuantityShape::Cell
                         ? line_of(pen, PlaceKind::Operand, input, upper ? col : row, kAny, colour)
                     : v.shape == QuantityShape::Row ? line_of(pen, PlaceKind::Operand, input, row, kAny, colour)
                                                     : line_of(pen, PlaceKind::Operand, input, kAny, col, colour);
    if (const auto chip = pen.m.places.all_of(PlaceKind::SramTile, input); chip && numbers.each.empty())
      numbers.each = {*chip}, numbers.all = *chip;  // a room sees the tile on chip, and no numbers of it
    return numbers;
  }
  switch (ledger_row(*from.quantity).shape) {
    case QuantityShape::Cell:
      if (v.shape == QuantityShape::Cell) return {};  // the cell itself
      if (v.shape == QuantityShape::ColByHead) return line_of(pen, PlaceKind::Score, -1, kAny, row, pen.c.accent);
      return line_of(pen, PlaceKind::Score, -1, row, kAny, pen.c.accent);
    case QuantityShape::Row:
      if (*from.quantity == v.quantity()) return {};
      return line_of(pen, PlaceKind::Figure, int(*from.quantity), row, kAny,
                     *from.quantity == Quantity::Alpha ? pen.c.changed : pen.c.fresh);
    default: return {};
  }
}

void draw_ring(const Pen& pen, const draw::Rect& r) {
  draw::box(pen.list, {r.x0 - 1.5f * pen.s, r.y0 - 1.5f * pen.s, r.x1 + 1.5f * pen.s, r.y1 + 1.5f * pen.s}, 0,
            3 * pen.s, pen.c.now_line, 1.8f * pen.s);
}

// A number that travels whole: the larger of the old max and the new.
void draw_rising(const Pen& pen, const MovingValues& v, std::int64_t row, const draw::Rect& to, float share) {
  const State& state = pen.f.session.state();
  const std::size_t i = std::size_t(row - v.row_begin);
  if (i >= state.m.size() || (i < state.m_old.size() && state.m_old[i] == state.m[i])) return;
  const Problem& problem = pen.f.session.problem();
  const draw::Rect* from = nullptr;
  float value = 0;
  const std::int64_t cols = state.step.cols();
  if (std::int64_t(state.s.size()) != v.rows * cols) return;
  for (std::int64_t c = 0; c < cols; ++c) {
    const std::int64_t col = state.step.col_begin + c;
    const draw::Rect* at = pen.m.places.find({PlaceKind::Score, int(Quantity::S), row, col});
    const float score = state.s[i * std::size_t(cols) + std::size_t(c)];
    if (at && problem.shape.band().allows(row, col) && (!from || score > value)) from = at, value = score;
  }
  if (!from) return;
  draw_ring(pen, *from);
  const Font& font = pen.f.theme.fonts.mono_strong;
  const std::string text = format_value(problem, display_score(problem, value));
  const ImVec2 at = on_arc(centre(*from), centre(to), share);
  const float wide = draw::text_width(font, text) / 2 + 6 * pen.s, high = font.em / 2 + 4 * pen.s;
  const draw::Rect r{at.x - wide, at.y - high, at.x + wide, at.y + high};
  draw::box(pen.list, r, pen.c.fresh, 4 * pen.s, pen.c.now_line, 1.5f * pen.s);
  draw::text_in(pen.list, font, r, ink_on(pen.c.fresh), text);
}

constexpr float kDotRadius = 4.2f, kLeastDot = 1.4f, kLargestDot = 8;

// The area of a weight's dot grows with it.
float dot_radius(float weight) { return std::max(kLeastDot, kLargestDot * std::sqrt(weight)); }

// What a row or a column sends leaves it at the side of the target, one after the other, on a straight way.
ImVec2 in_train(const Pen& pen, const Source& source, std::size_t i, const draw::Rect& to, float share) {
  constexpr float kTrain = 0.3f;  // of the time, from the first to the last
  const ImVec2 middle = centre(source.all), target = centre(to);
  const float count = float(source.each.size()), later = count > 1 ? kTrain * float(i) / (count - 1) : 0,
              way = std::clamp((share * (1 + kTrain) - later), 0.0f, 1.0f);
  ImVec2 from = middle;
  if (count > 1) {
    const float dx = target.x - middle.x, dy = target.y - middle.y, gap = 3 * pen.s;
    if (source.all.width() > source.all.height())
      from.x = dx > 0 ? source.all.x1 + gap : source.all.x0 - gap;
    else
      from.y = dy > 0 ? source.all.y1 + gap : source.all.y0 - gap;
  }
  return {from.x + (target.x - from.x) * way, from.y + (target.y - from.y) * way};
}

bool covers_text(const Pen& pen, const ImVec2& at, float radius) {
  return std::any_of(pen.m.places.at.begin(), pen.m.places.at.end(), [&](const auto& each) {
    const PlaceKind kind = each.first.kind;
    return kind != PlaceKind::RowGap && kind != PlaceKind::Corridor && kind != PlaceKind::HbmTile &&
           is_in(at, each.second.inset(-radius));
  });
}

// Of the row that the sentence names, or of all where it names none. One place is ringed, and what it is made from.
void draw_made(const Pen& pen, const MovingValues& v) {
  const auto ringed = v.ringed(pen.m.t);
  for (const auto& [row, col] : v.under_way(pen.m.t)) {
    const Span span = v.of(row, col);
    const draw::Rect* to = pen.m.places.find(place_of(v.shape, v.quantity(), row, col));
    if (!to || !v.shrinks.empty()) continue;
    const float share = float(span.share(pen.m.t));
    const bool is_ringed = ringed && *ringed == std::pair{row, col};
    if (v.told_row >= 0 && !is_ringed) continue;
    if (v.quantity() == Quantity::M) {
      draw_rising(pen, v, row, *to, share);
      continue;
    }
    for (const MadeFrom& from : v.made.from) {
      const Source source = source_of(pen, from, v, row, col);
      if (!source.each.empty() && is_ringed) draw_ring(pen, source.all);
      const bool weighs = from.quantity == Quantity::P && source.weights.size() == source.each.size();
      for (std::size_t i = 0; i < source.each.size(); ++i) {
        const ImVec2 at = in_train(pen, source, i, *to, share);
        const float radius = weighs ? dot_radius(source.weights[i]) : kDotRadius;
        if (covers_text(pen, at, radius * pen.s)) continue;
        pen.list->AddCircleFilled(at, (radius + 1.3f) * pen.s, pen.c.background, 16);
        const ImU32 ink = weighs ? viridis(source.weights[i]) : source.colour;
        pen.list->AddCircleFilled(at, radius * pen.s, ink, 16);
      }
    }
    if (!is_ringed) continue;
    draw_ring(pen, *to);
    pen.f.ui.rects.put("ringed", *to);
  }
}

// With reduced motion new values appear in their places.
void draw_fade(const Pen& pen) {
  const ImU32 veil = with_alpha(pen.c.panel, 1 - float(pen.m.fade));
  for (const MovingValues& v : pen.m.motion.values)
    for (const auto& [place, r] : pen.m.places.at) {
      const bool value =
          place.kind == PlaceKind::Score || place.kind == PlaceKind::Figure || place.kind == PlaceKind::Output;
      if (value && place.of == int(v.quantity()) && v.holds(place.row, place.col)) draw::box(pen.list, r, veil, 0);
    }
}

}  // namespace

void draw_motion(const UiFrame& f, const Palette& colours) {
  const std::optional<Moving> m = moving(f);
  if (!m || f.session.view().dialog() != Dialog::None) return;
  f.ui.rects.within("motion");
  const Pen pen{f, *m, ImGui::GetForegroundDrawList(), f.theme.s, colours};
  // In a stacked page, places may lie beyond the part that is scrolled into view.
  const draw::Rect seen = is_compact(f.layout) ? f.layout.page : f.layout.whole;
  pen.list->PushClipRect(seen.min(), ImVec2(seen.x1, seen.y1), true);
  if (m->fade < 1) {
    draw_fade(pen);
  } else {
    draw_crossings(pen);
    for (const MovingValues& v : m->motion.values) draw_made(pen, v);
  }
  pen.list->PopClipRect();
}

}  // namespace tilewalk
