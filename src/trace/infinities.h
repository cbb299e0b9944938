// The infinities that the arithmetic contract requires: -inf for a masked score and for the max of a row that has seen
// no column so far, +inf for L of a row without visible columns. Any other, and NaN, is a failure. Internal to trace.
#pragma once

#include <cmath>

#include "core/walk/schedule.h"
#include "trace/verdict.h"

namespace tilewalk {

inline bool is_masked(float score) { return std::isinf(score) && score < 0; }

// True if x is a number, or an infinity that the contract requires at this place of the problem, whatever its fault.
bool may_be(const Schedule&, TracedQuantity, float x, const Divergence& at);

}  // namespace tilewalk
