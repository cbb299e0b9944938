// The times of a finished walk and of the way that it is compared with, and which kernel has the walk's tiles. Times
// are those of call_times; a walk with the tiles of PyTorch's cuDNN has the time that was recorded of cuDNN. Not
// modelled: cuDNN's time where no race recorded it.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "view/words/call_times.h"

namespace tilewalk {

struct WalkTime {     // of a whole run
  std::string label;  // "FA-2"
  std::string text;   // "0.147 ms"
  double share = 0;   // of the longer one
};

// Both of the walked problem, this schedule first: a recorded pair, else a modelled one, as on the page of comparison.
struct WalkTimes {
  std::string title;  // "Time on an H200, modelled"; where there are none, why
  std::vector<WalkTime> bars;
  std::string date = {};   // of naive's recorded time; empty: not recorded
  std::string ratio = {};  // "4.7×": the longer time over the shorter
  bool slower = false;     // the walk, than the other way
};

ScheduleKind other_way(const Problem&, ScheduleKind tiled);  // naive, or for naive the tiled one
// With the other way at the left; none where the model of time does not cover both.
std::optional<Comparison> comparison_with_other_way(Problem, ScheduleKind tiled);
// "FA-3 by Tilewalk, tiles 192×128"; empty where no kernel has the walk's tiles.
std::string kernel_of_walk(const Problem&);
WalkTimes walk_times(const std::optional<Comparison>&, const RaceTimes* recorded);
// "one thread block walks a whole head: 64 for 132 SMs"; empty where every SM has a thread block.
std::string few_blocks(ScheduleKind, std::int64_t heads, const DeviceModel&);

}  // namespace tilewalk
