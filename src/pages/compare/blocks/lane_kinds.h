// What a lane of a thread block does for some time, as kinds with a colour each.
#pragma once

#include <cstddef>

#include "core/chip/timeline.h"

namespace tilewalk {

enum class LaneBoxKind { Load, Scores, Softmax, Accumulate, Rescale, Normalise, Store, Waiting, Idle, Mixed };
inline constexpr std::size_t kLaneBoxKinds = std::size_t(LaneBoxKind::Mixed) + 1;
LaneBoxKind kind_of(Doing);

}  // namespace tilewalk
