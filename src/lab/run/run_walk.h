// A run that can be seen at any step, forward and back. Copies of the machine are kept as checkpoints, and a seek runs
// on from the nearest one before it. Their number is limited by kMostCheckpointBytes: where they are too many, every
// second one is dropped. The state at a step depends on the step alone.
#pragma once

#include <cstdint>
#include <vector>

#include "lab/run/machine.h"

namespace tilewalk::lab {

inline constexpr std::size_t kMostCheckpointBytes = 256u << 20, kMostCheckpoints = 64;

class RunWalk {
 public:
  explicit RunWalk(Machine start);

  // The machine after so many steps, or at the end of a shorter run. Valid until the next call.
  const Machine& at(std::int64_t step);
  // The same in slices: begin, then work until it returns true.
  void begin(std::int64_t step);
  bool work(std::int64_t most_steps);
  const Machine& machine() const { return now_; }

  std::size_t checkpoints() const { return kept_.size(); }

 private:
  void keep();

  std::vector<Machine> kept_;  // by increasing step; the first is the start
  Machine now_;
  std::int64_t wanted_ = 0, spacing_ = 100'000;
};

}  // namespace tilewalk::lab
