// The squares of the zoom out of one score: one score, tiles, whole matrices of one head, up to a long context, and at
// last a wall of such matrices, one for each head of each batch entry. Sides are counts of rows and columns.
#pragma once

#include <cstdint>
#include <vector>

#include "core/predict/attention_method.h"
#include "core/problem/problem.h"

namespace tilewalk {

enum class ZoomSquareKind {
  Score,       // one cell
  Tile,        // of this walk
  KernelTile,  // of a fast kernel, on chip
  Walk,        // this walk's whole matrix
  Length,      // the whole matrix of a longer context
  Heads        // a wall of the largest matrix
};

struct ZoomSquare {
  ZoomSquareKind kind{};
  std::int64_t rows = 0, cols = 0;
  double t = 0;  // of the zoom, where the square fills the picture
  std::int64_t side() const { return rows > cols ? rows : cols; }
  bool operator==(const ZoomSquare&) const = default;
};

inline constexpr std::int64_t kLongestZoom = 131072;

// One slot for each head of each batch entry. The slots of a batch entry are a block, row by row; the blocks are the
// wall, row by row. A block, and the wall, may end in empty slots.
struct HeadsWall {
  std::int64_t heads = 1, batch = 1;
  std::int64_t heads_across = 1, heads_down = 1;  // slots of a block
  std::int64_t batch_across = 1, batch_down = 1;  // blocks of the wall
  double count() const { return double(heads) * double(batch); }
  std::int64_t across() const { return heads_across * batch_across; }
  std::int64_t down() const { return heads_down * batch_down; }
  std::int64_t side() const { return across() > down() ? across() : down(); }
};
// Without empty slots where that is at most twice as wide as high, or as high as wide; as small as it can be.
HeadsWall wall_of(std::int64_t heads, std::int64_t batch);

// From the smallest, at t 0, to the largest, at t 1: at least two. t is the logarithm of the side, so equal factors
// take equal parts of it.
std::vector<ZoomSquare> zoom_squares(const Problem&, const HeadsWall& = {});
double doublings(const std::vector<ZoomSquare>&);  // from the side of the smallest to that of the largest
// The fast kernel whose tile is among the squares: the schedule's own, else FA-2's.
const AttentionMethod& kernel_of_zoom(const Problem&);

}  // namespace tilewalk
