// What each lane of a thread block does, in order, and what it waits for: the input of core/chip/lane_engine. One function a
// schedule, in the order of its paper's algorithm. Internal to core/chip/timeline.
#pragma once

#include <vector>

#include "core/chip/timeline.h"

namespace tilewalk {

struct ProgramOp {
  Doing doing = Doing::Waiting;
  std::int64_t visit = -1;  // -1 outside visits
  int half = -1;
  std::vector<WaitFor> why;  // beside LaneOp::after
};

struct LaneProgram {
  std::vector<TimelineLane> lanes;
  std::vector<LaneOp> ops;
  std::vector<ProgramOp> what;  // of each op
};

LaneProgram lane_program(const Problem&, const DeviceModel&, const MemoryShare&, std::int64_t visits,
                         const std::vector<bool>& rescaled);

}  // namespace tilewalk
