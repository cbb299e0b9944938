// The page of the walk while numbers are asked for by hand: columns for what is asked, the sentence waits, the verdict
// gives no values. Numbers themselves are hidden where models take them from a SeenState. Colours of scores too fine to
// be drawn cell by cell are not touched.
#pragma once

#include "session/session.h"
#include "view/scores/inspector_model.h"
#include "view/scores/scores_model.h"
#include "view/walk/o_tile_model.h"
#include "view/walk/softmax_model.h"

namespace tilewalk {

inline constexpr const char* kSentenceWaits = "The sentence returns when your numbers are right.";

// A column each for what is asked in the table and has none: whether the max is followed, L and weights of splits.
void add_asked_columns(SoftmaxModel&, const HandController&);
void hide(SoftmaxModel&, const HandController&);
CheckReport without_values(CheckReport);

// What the tile at hand is to show: what a person wants, or the cells that are asked for.
std::optional<Quantity> cells_wanted(const Session&);
// Of the session as it may be seen.
InspectorModel inspected_cell(const Session&, std::int64_t row, std::int64_t col, Quantity shown);
InspectorModel inspected_output(const Session&, std::int64_t row, std::int64_t col);

}  // namespace tilewalk
