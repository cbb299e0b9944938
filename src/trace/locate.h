// Finds the step of a schedule that computes a quantity of its trace, to which a divergence is attributed. Internal to
// trace.
#pragma once

#include "core/walk/schedule.h"
#include "trace/verdict.h"

namespace tilewalk {

// Fills in step and phase of a divergence whose tile, quantity and values are known.
void locate(const Schedule&, Divergence&);

}  // namespace tilewalk
