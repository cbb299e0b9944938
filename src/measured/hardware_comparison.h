// The model held against a GPU's own counters: the measurement of a problem, or of the measured problem most like it,
// beside what the simulator says of that same measured problem. Bytes. The model's DRAM figures are
// core/chip/l2_model's, asked as the launches are measured: L2 emptied before each, instructions counted, and writes
// until a flush after it has brought out what was still dirty.
#pragma once

#include <optional>

#include "core/chip/l2_model.h"
#include "measured/hardware_traffic.h"

namespace tilewalk {

struct HardwareComparison {
  Problem problem;     // the one measured
  bool exact = false;  // it is the problem that was asked about
  HardwareLaunch measured;
  Traffic asked, dram;  // modelled
  std::int64_t dirty_bytes = 0;  // modelled: of what DRAM sees written, after the end of each launch
  bool matches() const { return asked.read_bytes == measured.read_bytes && asked.write_bytes == measured.write_bytes; }
};

L2Options as_profilers_measure();

// Empty where nothing of the problem's schedule was measured. O(Q tiles of the measured problem + measurements).
std::optional<HardwareComparison> compare_with_hardware(const HardwareTraffic&, const Problem&);

}  // namespace tilewalk
