// A problem with its schedule and its replay, for tests of view models.
#pragma once

#include <memory>

#include "core/replay/replay.h"
#include "tests/support/catch.h"

namespace tilewalk::test {

struct Walk {
  Problem problem;
  std::shared_ptr<const Schedule> schedule;
  Replay replay;

  explicit Walk(const Problem& p) : problem(p), schedule(make_schedule(p)), replay(schedule, Inputs(p)) {}
  const State& at(std::int64_t cursor) { return replay.at(cursor); }
  // The state after the first step of that phase in a visit of Q tile 2 and KV tile 1 (or in its group).
  const State& after(Phase phase, std::int64_t q_tile = 2, std::int64_t kv_tile = 1) {
    for (std::int64_t k = 0; k < schedule->step_count(); ++k) {
      const Step step = schedule->step(k);
      if (step.phase == phase && step.q_tile == q_tile && (step.kv_tile == kv_tile || step.kv_tile < 0))
        return at(k + 1);
    }
    FAIL("the schedule has no such step");
    return replay.state();
  }
};

// The problem of the design's picture: N 16, d 4, tiles 4x4, causal, seed 7.
inline Problem picture(ScheduleKind kind = ScheduleKind::FlashV2) {
  Problem p;
  p.schedule = kind;
  p.shape.mask.kind = MaskKind::Causal;
  return p;
}

}  // namespace tilewalk::test
