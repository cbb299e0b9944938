// A small deterministic simulation: operations in lanes, each with work for some resources. core/chip/timeline uses it
// and says what the lanes mean. Times are cycles from 0.
//
// Operations of one (lane, row) run in the order given. An operation starts when the operation before it in its row has
// ended, the operations that it waits for have ended, and its latency since then has passed. Operations that work on
// one resource at the same time share it equally, as with warp schedulers; only the tensor cores finish the product
// that started first before the next. An operation ends when all its work is done and its own minimum time has passed.
// Not modelled: issue slots, bank conflicts, power.
#pragma once

#include <array>
#include <vector>

#include "core/lanes/lane_program.h"

namespace tilewalk {

struct LaneTimes {
  double issued = 0;  // all operations it waits for have ended
  double start = 0, end = 0;
  // which of its `after` ended last; -1 if none, or if the operation before it in its row ended later
  std::int32_t last = -1;
};

struct LaneRun {
  bool deadlock = false;
  std::int32_t stuck = -1;  // deadlock: an operation that can never start
  double cycles = 0;
  std::array<double, kLaneResourceCount> busy{};  // cycles with work on the resource
  std::vector<LaneTimes> times;                   // of each operation
};

LaneRun run_lanes(const std::vector<LaneOp>&);

}  // namespace tilewalk
