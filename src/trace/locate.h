// Which step of a schedule makes a quantity of its trace: what a divergence is blamed on. Internal to trace.
#pragma once

#include "core/walk/schedule.h"
#include "trace/verdict.h"

namespace tilewalk {

// Fills in step and phase of a divergence whose tile, quantity and values are known.
void locate(const Schedule&, Divergence&);

}  // namespace tilewalk
