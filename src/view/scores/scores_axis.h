// One axis of the score matrix on screen: the positions of its cells, which all have one size. Pixels are counted from
// the corner of the area, cells are fractions of the matrix's.
#pragma once

#include <cstdint>

namespace tilewalk {

struct ScoresAxis {
  double px = 0;                    // size of a cell
  double begin = 0, end = 0;        // the visible cells
  double origin = 0;                // pixel of `begin`
  double at(double cell) const;     // the pixel of a cell
  double cell(double pixel) const;  // the cell at a pixel
};

struct AxisRequest {
  std::int64_t count = 0;        // cells of the matrix
  double px = 0;                 // size of a cell
  double before = 0, space = 0;  // pixels taken, and pixels left
  double centre = 0.5;           // centre of the view, as a fraction
};

ScoresAxis make_scores_axis(const AxisRequest&);

}  // namespace tilewalk
