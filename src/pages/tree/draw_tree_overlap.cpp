// The overlap inside a thread block, drawn as two pairs of lanes: products above, the other warpgroup's softmax below.
#include <algorithm>

#include "pages/compare/blocks/draw_lane_kinds.h"
#include "pages/tree/tree_grid.h"
#include "pages/tree/tree_overlap.h"

namespace tilewalk {

void draw_overlap(const UiFrame& f, const Panel& p, const TreeOverlap& m, const draw::Rect& area) {
  const float s = p.s;
  const Font& font = p.fonts.tiny;
  float names = 0;
  for (const OverlapRow& row : m.rows) names = std::max(names, draw::text_width(font, row.name) + 8 * s);
  const float between = 8 * s, rows = float(m.rows.size());
  float words = draw::paragraph(nullptr, font, font, 0, 0, area.width(), 0, m.words) + 4 * s;
  if (area.height() - words - between < 24 * s * rows) words = 0;  // in a low picture they are a tooltip
  const float high = std::min((area.height() - words - between) / rows, 44 * s);
  const float x = area.x0 + names, wide = area.x1 - x;
  float y = area.y0;
  for (std::size_t i = 0; i < m.rows.size(); ++i) {
    const OverlapRow& row = m.rows[i];
    if (row.products && i + 1 < m.rows.size())
      for (const OverlapBox& both : shared_times(row, m.rows[i + 1]))
        draw::box(p.list, {x + float(both.x0) * wide, y, x + float(both.x1) * wide, y + 2 * high},
                  with_alpha(p.colours.accent, 0.25f), 0);
    draw::text(p.list, font, area.x0, y + (high - font.size) / 2, p.colours.muted, row.name);
    for (const OverlapBox& box : row.boxes) {
      const draw::Rect r{x + float(box.x0) * wide, y + 3 * s, x + float(box.x1) * wide - s, y + high - 3 * s};
      const ImU32 fill = colour_of(p.colours, kind_of(box.doing));
      draw::box(p.list, r, fill, 2 * s);
      if (draw::text_width(font, box.label) + 4 * s <= r.width())
        draw::text_in(p.list, font, r, ink_on(fill), box.label);
    }
    f.ui.rects.put("overlap " + row.name, {area.x0, y, area.x1, y + high});
    y += high + (row.products ? 0 : between);
  }
  const draw::Rect whole{area.x0, area.y0, area.x1, y - between + words};
  if (words > 0)
    draw::paragraph(p.list, font, font, area.x0, y - between + 4 * s, area.width(), p.colours.muted, m.words);
  else if (pointed_at(f, "overlap words", whole))
    tooltip(f, m.words);
  f.ui.rects.put("overlap", whole);
}

}  // namespace tilewalk
