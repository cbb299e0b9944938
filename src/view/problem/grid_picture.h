// The score grid of a problem as a picture of a few squares: which tiles the mask leaves whole, cuts and hides. With
// more tiles than squares, a square covers several tiles and is full or skipped if all of them are. Not shown: ragged
// edges, progress of the walk.
#pragma once

#include <vector>

#include "core/problem/problem.h"

namespace tilewalk {

struct GridPicture {
  int rows = 0, columns = 0;
  std::vector<TileClass> squares;  // row by row; full, partial or skipped

  TileClass at(int row, int column) const { return squares[std::size_t(row) * std::size_t(columns) + std::size_t(column)]; }
};

GridPicture build_grid_picture(const Problem&, int most = 8);  // squares a side

}  // namespace tilewalk
