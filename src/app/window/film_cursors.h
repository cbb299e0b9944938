// Where a film of a walk stands still: after each step, or after each tile visit, from one cursor to another.
#pragma once

#include <cstdint>
#include <vector>

#include "core/walk/schedule.h"
#include "session/document/document.h"

namespace tilewalk {

struct AnimationWish {
  std::int64_t from = 0, to = 0;
  StepUnit every = StepUnit::Phase;
  int milliseconds = 700;
};

// The cursors that are drawn: the first and the last, and the stops between. At most one more than a film may have.
std::vector<std::int64_t> cursors_of(const Schedule&, const AnimationWish&);

}  // namespace tilewalk
