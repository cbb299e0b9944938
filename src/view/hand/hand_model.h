// What is said beside the numbers that are asked for: in the place of the sentence what the one with the focus is made
// of, its hint, or which mistake the last answer shows; how many stand; and how much is asked.
#pragma once

#include <optional>
#include <string>

#include "session/session.h"

namespace tilewalk {

struct HandModel {
  std::string text;                  // in the sentence's place; empty: the sentence stands there
  bool wrong = false;                // it tells of a mistake
  std::string progress;              // "2 of 3"
  std::optional<HandPlace> at_hand;  // the one that Check, Hint and Show speak of: with the focus, else the first open
  bool hints_left = false;
  std::string rows, quantities;            // how much is asked: "one row", "m α ℓ"
  AskByHand other_rows, other_quantities;  // what a click there asks instead
};

std::optional<HandModel> build_hand_model(const Session&);  // nothing while it is off

}  // namespace tilewalk
