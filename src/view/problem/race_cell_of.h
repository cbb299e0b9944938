// The cell of a race in which a call's times stand.
#pragma once

#include "dispatch/call.h"
#include "measured/race.h"

namespace tilewalk {

// By pass, type, length, head size, heads, batch and mask alone: other fields of the call are not looked at.
RaceCell race_cell_of(const Call&);

}  // namespace tilewalk
