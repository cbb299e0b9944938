// Changes to the page of the walk for work by hand: adds columns for fields, replaces the sentence, removes values from
// the verdict. Models hide numbers themselves, as they read them from a SeenState. Colours of scores too small to be
// drawn cell by cell are not hidden.
#pragma once

#include "session/session.h"
#include "view/scores/inspector_model.h"
#include "view/scores/scores_model.h"
#include "view/walk/softmax_model.h"

namespace tilewalk {

inline constexpr const char* kSentenceWaits = "The sentence returns when your numbers are right.";

// Adds columns for fields that the table lacks: whether the max is followed, L and weights of splits.
void add_asked_columns(SoftmaxModel&, const HandController&);
void hide(SoftmaxModel&, const HandController&);
CheckReport without_values(CheckReport);

// The quantity that the current tile shows: the user's choice, or the cells that have fields.
std::optional<Quantity> cells_wanted(const Session&);
// With the hidden numbers of the session hidden.
InspectorModel inspected_cell(const Session&, std::int64_t row, std::int64_t col, Quantity shown);
InspectorModel inspected_output(const Session&, std::int64_t row, std::int64_t col);

}  // namespace tilewalk
