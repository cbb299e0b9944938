// The cursors of a film's pictures: after each step, or after each tile visit, from one cursor to another.
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

// The first and the last cursor, and the stops between them. Returns at most one more than a film may have.
std::vector<std::int64_t> cursors_of(const Schedule&, const AnimationWish&);

}  // namespace tilewalk
