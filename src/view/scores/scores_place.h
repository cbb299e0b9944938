// Where the score matrix lies in its drawing area. All cells have one size, so equal tiles are drawn equal. For
// problems of hand size the values of Q and K are beside the matrix, and the current tile is lifted over its place: it
// is drawn larger, with its numbers, and covers parts of its neighbours. Where its numbers would cover more than half
// of the matrix, the matrix is drawn closer, and a part of it is out of view. A matrix too large for cells keeps to the
// left, and a lens with the current tile has the space at its right.
#pragma once

#include <optional>

#include "core/replay/replay.h"
#include "core/values/quantity.h"
#include "core/walk/schedule.h"
#include "view/scores/scores_axis.h"

namespace tilewalk {

struct ScoresArea {              // the drawing area, and the visible part (session/GridView)
  double width = 0, height = 0;  // pixels
  double zoom = 1, centre_row = 0.5, centre_col = 0.5;
  double cell_min_px = 7;               // cells at least this large are drawn one by one
  double gap_px = 5;                    // maximum space between two tiles
  double operand_w = 0, operand_h = 0;  // of one value of Q at the left, and of K above; 0: not shown
  double number_w = 0;                  // minimum width of a cell that shows its number; 0: none
  double number_wish = 0;               // its width where there is space: a gutter is between two numbers
  double number_h = 0;                  // its minimum height
  double digit_w = 0, label_h = 0;      // of the numbers of rows and columns: a digit, a line; 0: not shown
  bool whole = false;                   // the user wants the whole matrix, however small its cells
  std::optional<Quantity> asked = {};   // the user's choice for the current tile; empty: what the phase computes
  bool hold = false;                    // a border of tiles is being dragged: nothing else may move
};

// The space for the current tile right of a matrix without cells.
struct ScoresLens {
  double x0 = 0;                  // left end of its cells
  double y0 = 0;                  // top of its cells
  double cell_w = 0, cell_h = 0;  // of a cell
};

struct ScoresPlace {
  double left = 0, top = 0;         // space left of the matrix for values of Q, and above for values of K
  double right = 0;                 // space right of a matrix without cells, for the current tile
  double operand_w = 0;             // of one value of Q; 0: neither Q nor K is shown
  double label_w = 0, label_h = 0;  // space for the numbers of rows and columns, next to the matrix
  ScoresAxis rows, cols;
};

ScoresPlace place_scores(const Schedule&, const State&, const ScoresArea&);
// One axis of the current tile with the cells [begin, end), lifted within the visible part of the matrix. least: the
// size of a cell that shows its number.
ScoresAxis lifted_axis(const ScoresAxis& matrix, double begin, double end, double least);

// Right of a matrix without cells, of one size for all tiles; empty where there is no space.
std::optional<ScoresLens> place_lens_right(const Problem&, const ScoresArea&, const ScoresPlace&, double begin,
                                           double end);

bool whole_rows_at_hand(const State&);  // a pass over rows, not tiles

}  // namespace tilewalk
