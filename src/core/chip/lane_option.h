// The options of the lanes of FA-3 and FA-4: optimisations that are on or off, and how many tiles the circular buffer
// has.
// Not modelled: whether a schedule has the option at all; what_it_removes says that.
#pragma once

#include <cstdint>

#include "core/problem/problem.h"

namespace tilewalk {

enum class LaneOption { WarpSpecialisation, PingPong, Overlap, ConditionalRescale, PolynomialExp2, Stages };

const char* title_of(LaneOption);  // "overlap inside a warpgroup"

// value: 0 or 1; for the stages, their count. An option that is already on stays as it is.
void set_lane_option(Problem&, LaneOption, std::int64_t value);

}  // namespace tilewalk
