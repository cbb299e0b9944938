#include "view/problem/grid_picture.h"

#include <algorithm>

namespace tilewalk {

GridPicture build_grid_picture(const Problem& p, int most) {
  GridPicture out;
  out.rows = int(std::min<std::int64_t>(p.q_tiles(), most));
  out.columns = int(std::min<std::int64_t>(p.kv_tiles(), most));
  const Band band = p.shape.band();
  const auto edge = [](std::int64_t tiles, int of, int at) { return tiles * at / of; };
  for (int r = 0; r < out.rows; ++r)
    for (int c = 0; c < out.columns; ++c) {
      const std::int64_t row = edge(p.q_tiles(), out.rows, r) * p.tiling.br,
                         row_end = std::min(edge(p.q_tiles(), out.rows, r + 1) * p.tiling.br, p.shape.n_q),
                         col = edge(p.kv_tiles(), out.columns, c) * p.tiling.bc,
                         col_end = std::min(edge(p.kv_tiles(), out.columns, c + 1) * p.tiling.bc, p.shape.n_kv);
      out.squares.push_back(classify_tile(band, row, row_end, col, col_end, false));
    }
  return out;
}

}  // namespace tilewalk
