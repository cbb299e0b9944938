// The space that the panels have for drawing; the layout fills it.
#pragma once

#include "view/present/present_model.h"

namespace tilewalk {

struct ViewRoom {
  double scores_width = 0, scores_height = 0, cell_min_px = 7, tile_gap_px = 5;
  double operand_width = 0, operand_height = 0;  // of a value of Q or K beside the scores
  double number_width = 0, number_height = 0;    // that a cell needs for a number of two decimals
  double number_width_wished = 0;                // the same with a gutter beside it, where there is space
  double digit_width = 0, label_height = 0;      // of the numbers of rows and columns: a digit, a line
  bool holds_matrix = false;                     // a border of the matrix's tiles is being dragged
  double timeline_width = 0;
  int memory_tiles = 6;                                             // tiles of a tensor that fit in one row
  double lanes_width = 800, waves_width = 300, waves_height = 120;  // in design pixels
  int o_rows = 16, o_cols = 16, o_number_cols = 6;
  PresentRoom present;
  bool operator==(const ViewRoom&) const = default;
};

}  // namespace tilewalk
