// Which step of a schedule makes a quantity of its trace: what a divergence is blamed on. Internal to trace.
#pragma once

#include "trace/verify.h"

namespace tilewalk {

// One of the phases named, in the visit or among the edge steps of the group.
struct MadeIn {
  int section = 0;
  bool in_visit = true;
  Phase phase{};
};

// `masked`: one of the two scores that differ is masked.
MadeIn made_in(const Schedule&, Quantity, bool masked);

}  // namespace tilewalk
