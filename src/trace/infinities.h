// Which infinities the arithmetic contract asks for: -inf for a masked score and for the max of a row that has seen
// nothing, +inf for L of a row that sees nothing. Any other, and NaN, is a failure. Internal to trace.
#pragma once

#include <cmath>

#include "core/walk/schedule.h"
#include "trace/verdict.h"

namespace tilewalk {

inline bool is_masked(float score) { return std::isinf(score) && score < 0; }

// Whether x is a number, or an infinity that is asked for at this place of the problem, whatever its fault.
bool may_be(const Schedule&, TracedQuantity, float x, const Divergence& at);

}  // namespace tilewalk
