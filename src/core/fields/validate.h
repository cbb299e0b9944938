// Checks which problems can be walked, and chooses default tiles and splits. An issue names the field, the value, the
// rule and what to do.
// Not checked: contents of files.
#pragma once

#include "base/result.h"
#include "core/problem/problem.h"

namespace tilewalk {

// Every rule that the problem breaks, all at once; empty when it can be walked. Also checks that the totals of every
// counter stay below 2^63, so that later code cannot overflow.
Issues validate(const Problem&);

// 64x64 halved (rows and columns together, not below 1) until the schedule's working set fits p.sram_bytes.
void choose_default_tiles(Problem& p);

// 1; for split_kv without chosen splits: 4, or the number of KV tiles if that is smaller.
void choose_default_splits(Problem& p);

}  // namespace tilewalk
