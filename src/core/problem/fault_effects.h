// What a deliberate mistake does to the mask and to the tiles: of the replay, and of the words about it; and what is
// right in its place.
#pragma once

#include "core/problem/problem.h"

namespace tilewalk {

// The band that the kernel masks by: with mask-off-by-one one column wider than the problem's.
Band masked_band(const Problem&);
// True if skip-diagonal leaves the tile out: nothing after its mask is computed.
bool leaves_out(const Problem&, std::int64_t q_tile, std::int64_t kv_tile);

// One sentence: what the kernel should do; empty without a mistake.
const char* remedy_of(Fault);

}  // namespace tilewalk
