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

// The recorded problem, with the nearest tile that the model of lanes has; the walk itself, where it is that problem.
Problem at_recorded(const Problem& walk, const ChipRun&);

// Too short for lanes that are at work: they wait for memory, and launches take longer than the GPU.
bool is_tiny(const Problem&);

}  // namespace tilewalk
