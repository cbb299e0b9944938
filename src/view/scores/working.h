// The computation of a number, term by term with its live values, as a person writes it with a pencil. Only for
// problems of hand size; otherwise there are no lines. Numbers are exact fractions in base 2 where those are short,
// else each is rounded to four places, so a sum of printed numbers may be off in the last place. A line that needs a
// hidden number is left out.
#pragma once

#include <string>
#include <vector>

#include "core/problem/inputs.h"
#include "core/walk/schedule.h"
#include "session/hand/seen_state.h"
#include "view/scores/tile_values.h"

namespace tilewalk {

using Working = std::vector<std::string>;

// Of a cell of the current tile, up to the current step: the products of S, or of dP where that is shown; then P and
// dS, one line each.
Working working_of_cell(const Schedule&, const Inputs&, const SeenState&, std::int64_t row, std::int64_t col,
                        Quantity shown);
// Of the running sum of a row, once this visit has computed it.
Working working_of_sum(const Schedule&, const SeenState&, std::int64_t row);
// Of one element of O of the row: the old value, and the weights times V of this visit; or the division by ℓ.
Working working_of_output(const Schedule&, const Inputs&, const SeenState&, std::int64_t row, std::int64_t x);

}  // namespace tilewalk
