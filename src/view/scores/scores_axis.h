// One direction of the score matrix on screen: where its cells lie. All are alike, but for those of the tile at hand
// where the others are too small to write numbers that are worked with: these are drawn larger. Pixels are counted from
// the corner of the area, cells are fractions of the matrix's.
#pragma once

#include <cstdint>

namespace tilewalk {

struct ScoresAxis {
  double px = 0;                                        // of a cell
  double begin = 0, end = 0;                            // the cells in view
  double origin = 0;                                    // pixel of `begin`
  double focus_begin = 0, focus_end = 0, focus_px = 0;  // the cells that are drawn larger; none where both are equal

  double at(double cell) const;     // its pixel
  double cell(double pixel) const;  // and back
  double size_at(double cell) const { return cell >= focus_begin && cell < focus_end ? focus_px : px; }

 private:
  double length_to(double cell) const;  // of all cells before it
  double cell_after(double length) const;
  friend ScoresAxis make_scores_axis(const struct AxisWish&);
};

struct AxisWish {
  std::int64_t count = 0;        // cells of the matrix
  double px = 0, least_px = 0;   // of a cell; and the least where those of the tile at hand are larger
  double before = 0, space = 0;  // pixels that are taken, and those that are left
  double centre = 0.5;           // what is to stay in the middle of the view, a fraction
  double focus_begin = 0, focus_end = 0, focus_px = 0;
  bool all = true;  // all cells are to be seen, if they can
};

ScoresAxis make_scores_axis(const AxisWish&);

}  // namespace tilewalk
