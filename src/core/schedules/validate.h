// Which problems can be walked, and the tiles and splits that are taken where none were chosen. A rule is broken with
// the field, the value, the rule and a way out. Not checked: what stands in files.
#pragma once

#include "base/result.h"
#include "core/problem/problem.h"

namespace tilewalk {

// Every rule the problem breaks, all at once; empty when it can be walked. Totals of every counter are checked to stay
// below 2^63 here, so that nothing downstream can overflow.
Issues validate(const Problem&);

// 64x64 halved (rows and columns together, not below 1) until the schedule's working set fits p.sram_bytes.
void choose_default_tiles(Problem& p);

// 1, but for split_kv where none were chosen: 4, or as many as there are KV tiles.
void choose_default_splits(Problem& p);

}  // namespace tilewalk
