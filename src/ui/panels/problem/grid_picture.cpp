// A small picture of a score grid: whole tiles filled, cut ones half filled, hidden ones an outline.
#include <algorithm>

#include "ui/panels/panels.h"

namespace tilewalk {

void draw_grid_picture(ImDrawList* list, const Theme& theme, const GridPicture& grid, const draw::Rect& within) {
  if (grid.rows < 1 || grid.columns < 1) return;
  const Palette& c = theme.colours;
  const float side = std::min(within.width() / float(grid.columns), within.height() / float(grid.rows));
  const float square = std::min(side, within.height() / 3), gap = std::max(1.0f, square * 0.08f);
  const float left = within.x0 + (within.width() - square * float(grid.columns)) / 2,
              top = within.y0 + (within.height() - square * float(grid.rows)) / 2;
  for (int row = 0; row < grid.rows; ++row)
    for (int column = 0; column < grid.columns; ++column) {
      const draw::Rect r{left + square * float(column), top + square * float(row),
                         left + square * float(column + 1) - gap, top + square * float(row + 1) - gap};
      const TileClass is = grid.at(row, column);
      if (is == TileClass::Full) {
        draw::box(list, r, c.accent, 0);
        continue;
      }
      if (is == TileClass::Partial) list->AddTriangleFilled({r.x0, r.y0}, {r.x1, r.y1}, {r.x0, r.y1}, c.accent);
      draw::box(list, r, 0, 0, c.faint);
    }
}

}  // namespace tilewalk
