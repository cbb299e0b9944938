// The page of comparison as text: the table of differences against the same problem by another schedule, and how far
// that one has come when this one stands at a step, by each pace.
#pragma once

#include "app/cli/output.h"
#include "core/predict/compare.h"
#include "core/walk/in_step.h"
#include "measured/race_times.h"

namespace tilewalk {

struct Against {
  Comparison comparison;           // left: the other schedule
  std::optional<RaceTimes> times;  // of the problem's card, where races ran on it
  WalkProgress here;
  std::vector<std::pair<Pace, WalkProgress>> there;  // by tile, FLOP and byte
};

// Refuses names that are no schedule, the schedule itself, passes of the other direction, and what would not fit.
Result<Against> set_against(const Schedule&, std::int64_t at, const std::string& schedule_name);
std::string against_text(const Against&);
Json json_against(const Against&);

}  // namespace tilewalk
