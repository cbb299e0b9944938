#include "pages/roofline/draw_axes.h"

#include <algorithm>

#include "pages/roofline/roofline_page.h"
#include "ui/plot.h"

namespace tilewalk {

float widest_tick(const Font& font, const std::vector<PlotTick>& ticks) {
  float most = 0;
  for (const PlotTick& tick : ticks) most = std::max(most, draw::text_width(font, tick.text));
  return most;
}

void draw_axes(const Panel& p, const draw::Rect& area, const std::vector<PlotTick>& across,
               const std::vector<PlotTick>& up, std::string_view below, std::string_view beside) {
  const float s = p.s;
  const ImU32 grid = mix(p.colours.row_line, p.colours.muted, 0.35f);  // values are read along it
  float free = area.y1 + p.fonts.tiny.size;                            // a low plot has no space for every word
  for (const PlotTick& tick : up) {
    const float y = plot::place(area, 0, tick.at).y;
    p.list->AddLine({area.x0, y}, {area.x1, y}, grid, draw::hairline());
    if (y + p.fonts.tiny.size / 2 > free) continue;
    free = y - p.fonts.tiny.size / 2;
    draw::text_right(p.list, p.fonts.tiny, area.x0 - 8 * s, y - p.fonts.tiny.size / 2, p.colours.muted, tick.text);
  }
  for (const PlotTick& tick : across) {
    const float x = plot::place(area, tick.at, 0).x;
    p.list->AddLine({x, area.y0}, {x, area.y1}, grid, draw::hairline());
    const float wide = draw::text_width(p.fonts.tiny, tick.text);  // the last one ends with the panel
    draw::text(p.list, p.fonts.tiny, std::min(x - wide / 2, p.x + p.width - wide), area.y1 + 5 * s, p.colours.muted,
               tick.text);
  }
  draw::text_right(p.list, p.fonts.tiny, area.x1, area.y1 + 20 * s, p.colours.muted, below);
  draw::text(p.list, p.fonts.tiny, p.x, area.y0 - 18 * s, p.colours.muted, beside);
}

ImU32 colour_of(const Palette& c, RooflineHue hue) {
  switch (hue) {
    case RooflineHue::Naive: return hue_of_generation(c, 0);
    case RooflineHue::Tiled1: return hue_of_generation(c, 1);
    case RooflineHue::Tiled2: return hue_of_generation(c, 2);
    case RooflineHue::Tiled3: return hue_of_generation(c, 3);
    case RooflineHue::Guess: return c.warn;
  }
  return c.text;
}

}  // namespace tilewalk
