// A number written out the way it is made, term by term and with its live numbers: what a person with a pencil would
// put down. For problems of hand size; elsewhere there are no lines. Numbers are exact fractions in base 2 where those
// are short, else rounded to four places, each by itself, so sums of what is printed may be off in the last. A line
// that needs a number asked for by hand, or one made of it, is left out.
#pragma once

#include <string>
#include <vector>

#include "core/problem/inputs.h"
#include "core/walk/schedule.h"
#include "session/hand/seen_state.h"
#include "view/scores/tile_values.h"

namespace tilewalk {

using Working = std::vector<std::string>;

// Of a cell of the tile at hand, as far as the walk has come: the products of S, or of dP where that is shown; then P
// and dS, a line each.
Working working_of_cell(const Schedule&, const Inputs&, const SeenState&, std::int64_t row, std::int64_t col,
                        Quantity shown);
// Of the running sum of a row, once this visit has made it.
Working working_of_sum(const Schedule&, const SeenState&, std::int64_t row);
// Of one element of O of the row: what stood before, and the weights times V of this visit; or the division by ℓ.
Working working_of_output(const Schedule&, const Inputs&, const SeenState&, std::int64_t row, std::int64_t x);

}  // namespace tilewalk
