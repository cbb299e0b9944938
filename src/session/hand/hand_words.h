// What is said beside a number that is asked for: what it is made of, and three hints, the last of which is nearly the
// answer. What is hidden itself stands as "?", so nothing says more than the screen may.
#pragma once

#include <string>

#include "session/hand/hand_facts.h"
#include "session/hand/hidden_answers.h"

namespace tilewalk {

inline constexpr int kMostHints = 3;

std::string prompt_of(const HandFacts&, const HiddenAnswers&);           // "α of row 9. m was 0.51, m new is 0.92."
std::string hint_of(const HandFacts&, const HiddenAnswers&, int which);  // from 1 to kMostHints
// What it is made of and is still asked for: "m"; empty where everything stands.
std::string unsettled(const HandFacts&, const HiddenAnswers&);

}  // namespace tilewalk
