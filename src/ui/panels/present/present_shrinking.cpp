// A number of O on its way to a smaller one, as a room sees it.
#include "ui/panels/present/present_parts.h"

namespace tilewalk {

void draw_shrinking(const PresentPen& p, std::int64_t row, const draw::Rect& cell) {
  const MovingValues* const o = p.moving ? p.moving->motion.of(Quantity::O) : nullptr;
  if (!p.m.table.output || !o || o->shrink(row) >= 1 || !o->span.is_under_way(p.moving->t)) return;
  const float share = float(o->span.share(p.moving->t)), high = cell.height() * (1 - (1 - o->shrink(row)) * share);
  draw::box(p.list, {cell.x0, cell.y1 - high, cell.x1, cell.y1}, with_alpha(p.c.changed, 0.3f), 3 * p.s);
  draw::box(p.list, cell, 0, 3 * p.s, p.c.muted, draw::hairline());
  p.f.ui.rects.put("shrinking " + std::to_string(row), cell);
}

}  // namespace tilewalk
