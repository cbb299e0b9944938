// What the recorded race has of a problem: the times of the run nearest to it, and in words where that run differs.
// Near are runs of the same pass, head size and mask; of these the one whose length lies closest. Times are told as
// they were recorded, never scaled to the problem.
#pragma once

#include <string>

#include "core/problem/problem.h"
#include "measured/race.h"

namespace tilewalk {

struct RecordedTimes {
  std::string times;    // "Recorded on an NVIDIA H200, 2026-11-21: naive 4.57 ms, FA-2 1.62 ms, FA-3 970 µs"
  std::string differs;  // "That run: N 65,536, not 131,072; 16 heads × batch 1, not 32 × 1"; empty: this very problem
};

RecordedTimes recorded_times(const Race&, const Problem&);  // no times: nothing near was recorded

}  // namespace tilewalk
