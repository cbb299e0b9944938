// What a frame has time to replay.
#pragma once

#include "core/problem/problem.h"

namespace tilewalk {

// True if a frame has time to replay a whole head of that problem.
bool is_quick_to_replay(const Problem&);

}  // namespace tilewalk
