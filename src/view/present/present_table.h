// The table of a presented step: the softmax's numbers of each row; or, where the step makes it, the output or the
// gradient, tile by tile.
#pragma once

#include "view/hand/hide.h"
#include "view/present/present_model.h"
#include "view/present/question.h"
#include "view/walk/o_tile_model.h"

namespace tilewalk {

struct ShownSpan {
  std::int64_t begin = 0, count = 0;
};
// At most so many of all, around one of them.
ShownSpan around(std::int64_t centre, std::int64_t most, std::int64_t all);

// most_rows: that the room can read.
PresentTable table_of(const SoftmaxModel&, int most_rows, std::int64_t spoken, const std::optional<Question>& open);

bool adds_to_output(const Schedule&, const Step&);  // true if the step makes an output by a product with scores
bool shrinks_output(const Schedule&, const Step&);  // true if the step makes O smaller by α alone

// with_alpha: a column of the factors that shrink the rows.
PresentTable output_table(const Schedule&, const SeenState&, int most_rows, std::int64_t spoken, bool with_alpha);
PresentTable output_table(const Schedule&, const SeenState&, const ShownTile&, int most_rows, std::int64_t spoken,
                          bool with_alpha);

// The other gradient with a tile on chip while no score tile is: dV beside dK. None where the step has only one.
std::optional<ShownTile> other_gradient(const Schedule&, const State&);

// Of a backward pass outside a tile visit: removes the columns without a figure, such as L before a pass reads it, and
// the whole table where no phase of its pass makes one. moving: the table before the step, with the same columns.
void drop_unknown_columns(const Schedule&, const State&, PresentTable&, PresentTable* moving);

// Replaces the number of the open question by "?" in the table of outputs.
void put_question_mark(PresentTable&, std::int64_t of_row, std::int64_t head_col);

}  // namespace tilewalk
