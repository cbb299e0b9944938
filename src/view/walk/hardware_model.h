// Model and hardware side by side: the simulator's counters, and a GPU's own counters for the same launches. Always
// names the card and the day, and explains differences. Only for a problem that was itself measured.
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
  std::vector<std::string> reasons;  // for the remaining difference
};

HardwareModel build_hardware_model(const HardwareTraffic&, const HardwareComparison&);

}  // namespace tilewalk
