// The two problems that the page of comparison shows: those of the walk, the same schedules on the window's call, or
// the problem whose lanes were recorded on a GPU.
#pragma once

#include "core/predict/attention_call.h"
#include "measured/chip_timeline.h"

namespace tilewalk {

struct ComparedProblems {
  Problem now, baseline;
  bool of_walk = true;  // false: the walk's cursor is none of theirs
};

// The call under the walk's schedule, with the tiles of its fast kernel, else of its released one, else 64×64. Lanes,
// stages and the threshold of rescaling are the walk's.
Problem at_call(const Problem& walk, const AttentionCall&, const DeviceModel&);

// True if it does the work of a call as its kernel does: with the tiles of that schedule's fast kernel, or of the naive
// walk. Forward passes of the lengths that kernels run at.
bool walks_a_call(const Problem&);

// The same problem under another schedule, to be compared: a call has its naive walk, and each kernel's tiles,
// whichever schedule walks it; any other problem keeps its tiles (core/predict/compare.h, under_schedule).
Problem beside(const Problem&, ScheduleKind);

// The recorded problem, with the nearest tile that the model of lanes has; the walk itself, where it is that problem.
Problem at_recorded(const Problem& walk, const ChipRun&);

// Too short for lanes that are at work: they wait for memory, and launches take longer than the GPU.
bool is_tiny(const Problem&);

}  // namespace tilewalk
