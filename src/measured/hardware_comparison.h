// Compares the model with a GPU's own counters: the measurement of a problem beside the simulator's figures. Bytes. The
// DRAM figures of the model come from core/chip/l2_model, with options as in the measurement: L2 emptied before each
// launch, instructions counted, and writes counted until a flush after the launch has written the dirty bytes.
// Invariant: only a measured problem is compared.
#pragma once

#include <optional>

#include "core/chip/l2_model.h"
#include "measured/hardware_traffic.h"

namespace tilewalk {

struct HardwareComparison {
  Problem problem;
  HardwareLaunch measured;
  Traffic asked, dram;              // modelled
  std::int64_t dirty_bytes = 0;     // modelled: the part of DRAM's writes after the end of each launch
  std::int64_t most_own_bytes = 0;  // the most that the GPU may have written by itself
  bool matches() const { return asked.read_bytes == measured.read_bytes && asked.write_bytes == measured.write_bytes; }
};

L2Options as_profilers_measure();

// Empty where the problem was not measured. O(Q tiles + measurements).
std::optional<HardwareComparison> compare_with_hardware(const HardwareTraffic&, const Problem&);

// The measured problem of the same schedule that is most like it; null where there is none.
const Problem* nearest_measured(const HardwareTraffic&, const Problem&);

}  // namespace tilewalk
