// What a mask hides, in plain words.
#pragma once

#include "core/problem/problem.h"

namespace tilewalk {

// "a row sees only keys up to its own"; empty without a mask.
const char* mask_rule(const Problem&);
// The same in three or four words: "rows see no later keys".
const char* short_mask_rule(const Problem&);

}  // namespace tilewalk
