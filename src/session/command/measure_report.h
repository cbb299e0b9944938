// A measurement of the machine at hand, made off the thread that draws: how far it is, what it found. Made outside
// (app/jobs measures), kept by the controller of the roofline.
#pragma once

#include <optional>
#include <string>

#include "measured/measured_machine.h"
#include "session/command/job_wish.h"

namespace tilewalk {

struct MeasureNews {  // from the thread that measures
  bool running = false;
  double fraction = 0;
  std::string doing = {};                       // "reading 1.88 GiB of memory"
  std::optional<MeasuredMachine> machine = {};  // at its end, unless it was stopped
  std::string failure = {};                     // why it could not be carried out
  bool operator==(const MeasureNews&) const = default;
};

struct Measuring : JobWish {
  std::string doing;
  std::string failure;  // of the last one: why nothing was measured, or that it was stopped
};

}  // namespace tilewalk
