// The sources of a number as they are printed, in two decimals, and the number that a person computes from these. It
// may differ from the kernel's number in its second digit.
#pragma once

#include "session/hand/hand_facts.h"

namespace tilewalk {

// `right` is computed from the printed sources; NaN for a quantity without such a rule.
HandFacts printed_facts(const HandFacts&);

// True if the typed number is that of the printed sources, and these are as near to the right one as rounding leaves
// them.
bool answers_from_print(double typed, const HandFacts&);

}  // namespace tilewalk
