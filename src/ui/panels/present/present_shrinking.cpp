// A number of O on its way to a smaller one, as a room sees it.
#include "ui/panels/present/present_parts.h"

namespace tilewalk {

bool draw_shrinking(const PresentPen& p, std::int64_t row, const draw::Rect& cell) {
  const MovingValues* const o = p.moving ? p.moving->motion.of(Quantity::O) : nullptr;
  const float height = p.m.table.output && o ? float(o->height(row, p.moving->t)) : 1;
  if (height >= 1) return false;
  const float high = cell.height() * height;
  draw::box(p.list, {cell.x0, cell.y1 - high, cell.x1, cell.y1}, with_alpha(p.c.changed, 0.3f), 3 * p.s);
  draw::box(p.list, cell, 0, 3 * p.s, p.c.muted, draw::hairline());
  p.f.ui.rects.put("shrinking " + std::to_string(row), cell);
  return true;
}

}  // namespace tilewalk
