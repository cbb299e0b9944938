// A measurement of the local machine on another thread: its progress and its result. app/jobs measures; the controller
// of the roofline stores the report.
#pragma once

#include <optional>
#include <string>

#include "measured/measured_machine.h"
#include "session/command/job_state.h"

namespace tilewalk {

struct MeasureNews {  // reported by the thread that measures
  bool running = false;
  double fraction = 0;
  std::string doing = {};                       // "reading 1.88 GiB of memory"
  std::optional<MeasuredMachine> machine = {};  // set at the end, unless it was stopped
  std::string failure = {};                     // why it failed
  bool operator==(const MeasureNews&) const = default;
};

struct Measuring : JobState {
  std::string doing;
  std::string failure;  // of the last measurement: why it failed, or that it was stopped
};

}  // namespace tilewalk
