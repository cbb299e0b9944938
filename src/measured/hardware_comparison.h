// The model held against a GPU's own counters: the measurement of a problem beside what the simulator says of it.
// Bytes. The model's DRAM figures are core/chip/l2_model's, asked as the launches are measured: L2 emptied before each,
// instructions counted, and writes until a flush after it has brought out what was still dirty.
// Invariant: only a problem that was measured itself is compared.
#pragma once

#include <optional>

#include "core/chip/l2_model.h"
#include "measured/hardware_traffic.h"

namespace tilewalk {

struct HardwareComparison {
  Problem problem;
  HardwareLaunch measured;
  Traffic asked, dram;              // modelled
  std::int64_t dirty_bytes = 0;     // modelled: of what DRAM sees written, after the end of each launch
  std::int64_t most_own_bytes = 0;  // what the GPU may have written of its own
  bool matches() const { return asked.read_bytes == measured.read_bytes && asked.write_bytes == measured.write_bytes; }
};

L2Options as_profilers_measure();

// Empty where the problem was not measured. O(Q tiles + measurements).
std::optional<HardwareComparison> compare_with_hardware(const HardwareTraffic&, const Problem&);

// The measured problem of the same schedule that is most like it; null where there is none.
const Problem* nearest_measured(const HardwareTraffic&, const Problem&);

}  // namespace tilewalk
