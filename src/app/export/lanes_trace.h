// Lanes of thread blocks in the trace-event format, which ui.perfetto.dev and chrome://tracing open: one process for
// each thread block, one thread for each lane (a second one where products run in parallel), one complete event for
// each segment of work or waiting. Times are microseconds from the first segment, by the clock of the lanes; a note
// beside the events defines a cycle and says whether it was modelled or measured. Invariant: events of one thread do
// not overlap.
#pragma once

#include <string>
#include <vector>

#include "core/chip/timeline.h"
#include "files/output_file.h"

namespace tilewalk {

struct TraceBlock {
  std::string name;  // "FA-3, batch 0, head 0, Q tile 3"
  Timeline lanes;
  double clock_ghz = 1;
};

struct LanesTrace {
  std::string title, note;  // the subject and source of the lanes
  std::vector<TraceBlock> blocks;
};

Result<Done> write_lanes_trace(const LanesTrace&, const ByteSink&);

// The modelled lanes of the thread block at a step. An issue where the schedule has none.
Result<LanesTrace> modelled_lanes_trace(const Schedule&, std::int64_t cursor);

}  // namespace tilewalk
