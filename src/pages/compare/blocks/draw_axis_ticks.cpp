#include "pages/compare/blocks/draw_axis_ticks.h"

#include <algorithm>

namespace tilewalk {

float axis_high(const Panel& p) { return p.fonts.tiny.size + 9 * p.s; }

void draw_axis(const UiFrame& f, Panel& p, const TickedAxis& axis, const std::string& id, float x0, float x1) {
  if (axis.ticks.empty()) return;
  const float s = p.s, top = p.y + 5 * s;
  float free = x0 - 100 * s;
  draw::text_right(p.list, p.fonts.tiny, x0 - 10 * s, top, p.colours.muted, axis.unit);
  p.list->AddLine({x0, p.y}, {x1, p.y}, p.colours.row_line, draw::hairline());
  for (const AxisTick& tick : axis.ticks) {
    const float x = x0 + float(tick.at) * (x1 - x0), wide = draw::text_width(p.fonts.tiny, tick.text);
    p.list->AddLine({x, p.y}, {x, p.y + 4 * s}, p.colours.muted, draw::hairline());
    const float from = std::min(x - wide / 2, p.x + p.width - wide);
    if (from < free + 8 * s) continue;
    free = from + wide;
    draw::text(p.list, p.fonts.tiny, from, top, p.colours.muted, tick.text);
    f.ui.rects.put(id + " tick " + tick.text, {x, p.y, x, top + p.fonts.tiny.size});
  }
  p.y += axis_high(p);
}

}  // namespace tilewalk
