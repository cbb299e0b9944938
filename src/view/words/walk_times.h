// The times of a finished walk and of the way that it is compared with, and which kernel has the walk's tiles. Times
// are those of call_times.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "view/words/call_times.h"

namespace tilewalk {

struct WalkTime {     // of a whole run
  std::string label;  // "FA-2", or "FA-3 by cuDNN"
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

// The comparison behind the times: one for all who show the end of the walk.
struct WalkTimesCache {
  std::optional<Problem> of;             // the walk; empty: none was compared
  std::optional<Comparison> comparison;  // with the other way at the left; none where the model covers not both
};

ScheduleKind other_way(const Problem&, ScheduleKind tiled);  // naive, or for naive the tiled one
// "FA-3 by Tilewalk, tiles 192×128"; empty where no kernel has the walk's tiles.
std::string kernel_of_walk(const Problem&);
// Beside naive, for naive beside `tiled`. No bars where the model of time does not cover both.
WalkTimes walk_times(const Problem&, ScheduleKind tiled, const RaceTimes* recorded, WalkTimesCache&);
// "one thread block walks a whole head: 64 for 132 SMs"; empty where every SM has a thread block.
std::string few_blocks(ScheduleKind, std::int64_t heads, const DeviceModel&);

}  // namespace tilewalk
