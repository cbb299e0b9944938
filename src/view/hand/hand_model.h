// The texts beside the fields of work by hand. Instead of the sentence: the sources of the focused number, its hint, or
// the mistake of the last answer. Also the count of finished fields and the choice of rows and quantities.
#pragma once

#include <optional>
#include <string>

#include "session/session.h"

namespace tilewalk {

struct HandModel {
  std::string text;                  // shown instead of the sentence; empty: the sentence is shown
  bool wrong = false;                // the text describes a mistake
  std::string progress;              // "2 of 3"
  std::optional<HandPlace> at_hand;  // the field for Check, Hint and Show: the focused one, else the first open one
  bool hints_left = false;
  std::string rows, quantities;            // the choice: "one row", "m α ℓ"
  AskByHand other_rows, other_quantities;  // the next choice, for a click
};

std::optional<HandModel> build_hand_model(const Session&);  // empty while work by hand is off

// For a room: the question of the field with the focus, or of the first open one, and the keys that act on it. Empty
// where no number is asked for.
std::string hand_question(const Session&);

}  // namespace tilewalk
