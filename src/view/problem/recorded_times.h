// The recorded times of a problem: those of the nearest run of the recorded race, and a text of where that run differs.
// A run is near with the same pass, head size and mask; of these the one with the closest length is used. Times are
// shown as recorded, never scaled to the problem.
#pragma once

#include <string>

#include "core/problem/problem.h"
#include "measured/race.h"

namespace tilewalk {

struct RecordedTimes {
  std::string times;    // "Recorded on an NVIDIA H200, 2026-11-21: naive 4.57 ms, FA-2 1.62 ms, FA-3 970 µs"
  std::string differs;  // "That run: N 65,536, not 131,072; 16 heads × batch 1, not 32 × 1"; empty: the same problem
};

RecordedTimes recorded_times(const Race&, const Problem&);  // no times: no near run was recorded

}  // namespace tilewalk
