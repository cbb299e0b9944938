// The texts beside a field: its sources, and three hints, the last nearly the answer. A hidden number is "?", so no
// text shows more than the screen.
#pragma once

#include <string>

#include "session/hand/hand_facts.h"
#include "session/hand/hidden_answers.h"

namespace tilewalk {

inline constexpr int kMostHints = 3;

std::string prompt_of(const HandFacts&, const HiddenAnswers&);           // "α of row 9. m was 0.51, m new is 0.92."
std::string hint_of(const HandFacts&, const HiddenAnswers&, int which);  // from 1 to kMostHints
// The source that is still open: "m"; empty where all are known.
std::string unsettled(const HandFacts&, const HiddenAnswers&);

}  // namespace tilewalk
