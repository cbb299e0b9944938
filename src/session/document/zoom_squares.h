// The squares of the zoom out of one tile, all of one score matrix of one head, from one tile to a long context. They
// share the corner of row 0 and column 0. Sides are counts of rows and columns.
#pragma once

#include <cstdint>
#include <vector>

#include "core/predict/attention_method.h"
#include "core/problem/problem.h"

namespace tilewalk {

enum class ZoomSquareKind {
  Tile,        // of this walk
  KernelTile,  // of a fast kernel, on chip
  Walk,        // this walk's whole matrix
  Length       // the whole matrix of a longer context
};

struct ZoomSquare {
  ZoomSquareKind kind{};
  std::int64_t rows = 0, cols = 0;
  double t = 0;  // of the zoom, where the square fills the picture
  std::int64_t side() const { return rows > cols ? rows : cols; }
  bool operator==(const ZoomSquare&) const = default;
};

inline constexpr std::int64_t kLongestZoom = 131072;

// From the smallest, at t 0, to the largest, at t 1: at least two. t is the logarithm of the side, so equal factors
// take equal parts of it.
std::vector<ZoomSquare> zoom_squares(const Problem&);
double doublings(const std::vector<ZoomSquare>&);  // from the side of the smallest to that of the largest
// The fast kernel whose tile is among the squares: the schedule's own, else FA-2's.
const AttentionMethod& kernel_of_zoom(const Problem&);

}  // namespace tilewalk
