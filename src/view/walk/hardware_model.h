// Model and hardware side by side: what the simulator counts, and what a GPU's own counters said of the same launches.
// Whose card and which day is always said, and why where the two differ. Only for a problem that was measured itself.
#pragma once

#include <string>
#include <vector>

#include "measured/hardware_comparison.h"

namespace tilewalk {

struct HardwareLine {
  std::string what;      // "asked of HBM, read"
  std::string modelled;  // bytes; "not modelled"
  std::string measured;
  std::string apart;  // "equal", "+3.2 %", "its own writes"; empty where there is nothing to compare
  bool estimate = false;
};

struct HardwareModel {
  std::string card;    // "H200"
  std::string source;  // "NVIDIA H200, driver 580.159.04, 2026-11-21, by Nsight Compute Version 2025.3.1.0"
  std::string label;   // "H200's counters, 2026-11-21"
  std::string text;    // "67.0 MiB · equal"
  std::int64_t bytes = 0;
  std::vector<HardwareLine> lines;
  std::string sentence;
  std::vector<std::string> reasons;  // for what is left of difference
};

HardwareModel build_hardware_model(const HardwareTraffic&, const HardwareComparison&);

}  // namespace tilewalk
