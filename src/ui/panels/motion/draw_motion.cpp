// What travels over the panels: tiles between the memories and the matrix, and values on their way to what they make.

#include <algorithm>
#include <cmath>

#include "base/units.h"
#include "ui/panels/motion/flight.h"
#include "ui/panels/motion/motion_pen.h"
#include "view/words/units.h"

namespace tilewalk {
namespace {

constexpr float kGhost = 0.16f;  // how dense a ghost is

// A tile as it travels: its name and the lines of its rows, on its colour, with a shadow below it. widest: the name
// that has to fit, so that tiles that cross together have letters of one size.
void draw_tile(const MotionPen& pen, const MovingTile& tile, const std::string& widest, const draw::Rect& r) {
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
  const Fonts& fonts = pen.f.theme.fonts;
  if (const Font* font = draw::font_that_fits({&fonts.title, &fonts.strong}, widest, r.width() - 4 * pen.s, r.height()))
    draw::text_in(pen.list, *font, r, ink_on(fill), tile.label);
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
std::optional<draw::Rect> place_in_sram(const MotionPen& pen, const MovingTile& tile) {
  if (const draw::Rect* chip = pen.m.places.find({PlaceKind::SramTile, int(tile.tensor), 0, 0, tile.label}))
    return *chip;
  const draw::Rect* const all = pen.m.places.find({PlaceKind::SramTile, -1});
  if (!all) return std::nullopt;
  const ImVec2 middle = all->middle();
  const float wide = std::min(all->width(), 46 * pen.s) / 2, high = std::min(all->height(), 30 * pen.s) / 2;
  return draw::Rect{middle.x - wide, middle.y - high, middle.x + wide, middle.y + high};
}

// A ghost of the tile that is in SRAM goes to where its product is made, and grows into its numbers there. One sees
// through it: it covers no number on its way.
void draw_ghost(const MotionPen& pen, const MovingTile& tile, const draw::Rect& sram, const draw::Rect& numbers,
                float share) {
  const auto between = [&](float a, float b) { return a + (b - a) * share; };
  const draw::Rect r{between(sram.x0, numbers.x0), between(sram.y0, numbers.y0), between(sram.x1, numbers.x1),
                     between(sram.y1, numbers.y1)};
  const ImU32 ink = hue(pen.c, tile.tensor);
  draw::box(pen.list, r, with_alpha(ink, kGhost), 5 * pen.s, with_alpha(ink, 0.9f), 2 * pen.s);
  pen.f.ui.rects.put("ghost " + tile.label, r);
}

// The second hop, from SRAM to the edge of the matrix.
void draw_unfolding(const MotionPen& pen, const MovingTile& tile, const draw::Rect& sram) {
  const std::optional<draw::Rect> numbers = numbers_of(pen.m.places, tile.tensor);
  if (!tile.unfolding.is_under_way(pen.m.t) || !numbers) return;
  const float share = float(tile.unfolding.share(pen.m.t));
  draw_dotted_way(pen, sram, *numbers, tile.label, with_alpha(hue(pen.c, tile.tensor), 0.8f));
  draw_ghost(pen, tile, sram, *numbers, tile.to_sram ? share : 1 - share);
}

struct CrossingTile {
  const MovingTile* tile;
  FlightPlan plan;
};

std::string landed_text(const MotionPen& pen, const MovingTile& tile) {
  return tile.label + " " + part_of_text(format_bytes(tile.bytes_landed(pen.m.t)), format_bytes(tile.bytes));
}

// "K1 56 of 64 B", a line each, beside all that crosses.
void draw_landed(const MotionPen& pen, const std::vector<CrossingTile>& all, const draw::Rect& place) {
  const Font& font = pen.f.theme.fonts.mono_small;
  float y = place.y0;
  for (const CrossingTile& each : all) {
    const draw::Rect line{place.x0, y, place.x1, y + draw::leading(font)};
    draw::text(pen.list, font, line.x0, y, letters_of(pen.c, each.tile->tensor), landed_text(pen, *each.tile));
    pen.f.ui.rects.put("label " + each.tile->label, line);
    y = line.y1;
  }
}

// The texts of the memories. No wire covers them.
std::vector<draw::Rect> texts_of_memories(const MotionPen& pen) {
  std::vector<draw::Rect> out;
  for (const auto& [place, r] : pen.m.places.at)
    if (place.kind == PlaceKind::Words || place.kind == PlaceKind::HbmTile ||
        (place.kind == PlaceKind::SramTile && place.of >= 0))
      out.push_back(r);
  for (const auto& [name, r] : pen.f.ui.rects.all())
    if (name.starts_with("memory/hbm label ") || name == "memory/sram title" || name.starts_with("motion/label "))
      out.push_back(r);
  return out;
}

// Dots from the tile's place in HBM to its place in SRAM.
void draw_wire(const MotionPen& pen, const CrossingTile& crossing, const std::vector<draw::Rect>& texts, ImU32 ink) {
  DottedWay& drawn = pen.f.ui.of<DottedWays>().begin_way("wire ", crossing.tile->label);
  draw_dots(pen, crossing.plan.curve(), drawn, ink, [&](const draw::Rect& dot) {
    return std::any_of(texts.begin(), texts.end(), [&](const draw::Rect& r) { return r.touches(dot); });
  });
}

// The space for tiles that cross: the corridor without its lines of bytes.
draw::Rect beside_labels(const MotionPen& pen, const draw::Rect& corridor, const FlightLabels* labels) {
  const float gap = 3 * pen.s;
  draw::Rect room{corridor.x0 + gap, corridor.y0 + gap, corridor.x1 - gap, corridor.y1 - gap};
  if (labels) (labels->at_right ? room.x1 : room.x0) = labels->at_right ? labels->at.x0 - gap : labels->at.x1 + gap;
  return room;
}

void draw_crossings(const MotionPen& pen) {
  const MovingPlaces& places = pen.m.places;
  const draw::Rect* const corridor = places.find({PlaceKind::Corridor});
  const draw::Rect* const gap = places.find({PlaceKind::RowGap});
  std::vector<CrossingTile> all;
  std::vector<draw::Rect> chips;
  float wide = 0;
  std::string widest;
  const auto name_width = [&](const std::string& name) { return draw::text_width(pen.f.theme.fonts.strong, name); };
  for (const MovingTile& tile : pen.m.motion.tiles) {
    if (name_width(tile.label) > name_width(widest)) widest = tile.label;
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
  const std::vector<draw::Rect> texts = texts_of_memories(pen);
  if (corridor) {
    std::vector<FlightPlan*> plans;
    for (CrossingTile& each : all) {
      each.plan.lane_at_right = plans.size() % 2 > 0;
      plans.push_back(&each.plan);
    }
    spread(plans, beside_labels(pen, *corridor, labels ? &*labels : nullptr));
  }
  for (CrossingTile& each : all) {
    const MovingTile& tile = *each.tile;
    if (!tile.crossing.is_under_way(pen.m.t)) continue;
    const float share = float(tile.crossing.share(pen.m.t));
    const Flight flight = flight_at(each.plan, tile.to_sram ? share : 1 - share);
    const ImU32 ink = hue(pen.c, tile.tensor);
    draw_wire(pen, each, texts, with_alpha(ink, 0.8f));
    const auto is_over = [&](const draw::Rect& r) { return r.touches(flight.at); };
    if (flight.is_speck && std::any_of(texts.begin(), texts.end(), is_over)) continue;
    pen.f.ui.rects.put((flight.is_speck ? "speck " : "flight ") + tile.label, flight.at);
    if (flight.is_speck)
      draw::box(pen.list, flight.at, ink, 1.5f * pen.s);
    else
      draw_tile(pen, tile, widest, flight.at);
  }
}

// With reduced motion new values appear in their places.
void draw_fade(const MotionPen& pen) {
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
  f.ui.of<DottedWays>().begin_frame();
  const std::optional<Moving> m = moving(f);
  if (!m || f.session.view().dialog() != Dialog::None) return;
  f.ui.rects.within("motion");
  const MotionPen pen{f, *m, ImGui::GetForegroundDrawList(), f.theme.s, colours};
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
