// One axis of the score matrix on screen: the positions of its cells. All cells have one size, except where the cells
// are too small for the numbers of work by hand: then those of the current tile are larger. Pixels are counted from the
// corner of the area, cells are fractions of the matrix's.
#pragma once

#include <cstdint>

namespace tilewalk {

struct ScoresAxis {
  double px = 0;                                        // size of a cell
  double begin = 0, end = 0;                            // the visible cells
  double origin = 0;                                    // pixel of `begin`
  double focus_begin = 0, focus_end = 0, focus_px = 0;  // the larger cells; focus_begin == focus_end: none

  double at(double cell) const;     // the pixel of a cell
  double cell(double pixel) const;  // the cell at a pixel
  double size_at(double cell) const { return cell >= focus_begin && cell < focus_end ? focus_px : px; }

 private:
  double length_to(double cell) const;  // of all cells before it
  double cell_after(double length) const;
  friend ScoresAxis make_scores_axis(const struct AxisWish&);
};

struct AxisWish {
  std::int64_t count = 0;        // cells of the matrix
  double px = 0, least_px = 0;   // size of a cell; least_px outside the larger ones
  double before = 0, space = 0;  // pixels taken, and pixels left
  double centre = 0.5;           // centre of the view, as a fraction
  double focus_begin = 0, focus_end = 0, focus_px = 0;
  bool all = true;  // show all cells if possible
};

ScoresAxis make_scores_axis(const AxisWish&);

}  // namespace tilewalk
