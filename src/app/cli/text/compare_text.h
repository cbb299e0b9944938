// The page of comparison as text: the table of differences with the same problem under another schedule, and, for each
// pace, the progress of that schedule when this one is at a step.
#pragma once

#include "app/cli/output.h"
#include "core/predict/compare.h"
#include "core/walk/in_step.h"
#include "measured/race_times.h"

namespace tilewalk {

struct Against {
  Comparison comparison;           // left: the other schedule
  std::optional<RaceTimes> times;  // of the problem's card, if it was raced
  WalkProgress here;
  std::vector<std::pair<Pace, WalkProgress>> there;  // by tile, FLOP and byte
};

// Refuses unknown schedules, the schedule itself, passes of the other direction, and problems that would not fit.
Result<Against> set_against(const Schedule&, std::int64_t at, const std::string& schedule_name);
std::string against_text(const Against&);
Json json_against(const Against&);

}  // namespace tilewalk
