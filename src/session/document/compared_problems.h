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
// stages and the threshold of rescaling are the walk's. Naive stores S in the call's type, as the naive attention that
// races does: bytes and time beside them are of one kernel.
Problem at_call(const Problem& walk, const AttentionCall&, const DeviceModel&);

// The call whose work a problem does as a kernel does it: with the tiles of its schedule's fast kernel, or of the
// call's naive walk. Empty for any other tiles, for backward passes and for lengths that no kernel runs at.
std::optional<AttentionCall> walked_call(const Problem&);

// The walk under another schedule with that schedule's own tiles, and under naive with S in the problem's type, as the
// naive attention that races has it. A call takes them, and any forward problem of a
// kernel's length does under naive, whose tiles belong to naive alone (a walk with the tiles of PyTorch's kernel among
// them). Empty for a walk that keeps its tiles.
std::optional<Problem> under_own_tiles(const Problem& walk, ScheduleKind);

// The same problem under another schedule, for a comparison. A call has the tiles of that schedule's kernel, or of its
// one naive walk; any other problem keeps its tiles (core/predict/compare.h, under_schedule).
Problem compared_under(const Problem&, ScheduleKind);

// The recorded problem, with the nearest tile that the model of lanes has; the walk itself, where it is that problem.
Problem at_recorded(const Problem& walk, const ChipRun&);

// Too short for lanes that are at work: they wait for memory, and launches take longer than the GPU.
bool is_tiny(const Problem&);

}  // namespace tilewalk
