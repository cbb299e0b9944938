// The bytes that each launch of the teaching kernels moved, by a GPU's own counters:
// assets/measurements/traffic_h200.csv, made with Nsight Compute. read_bytes and write_bytes are what the kernel asked
// of global memory, the figures that core/walk/schedule models; L2 and DRAM bytes are the hardware's, with L2 emptied
// before each launch. Figures are bytes. The file's column dram_write_bytes, DRAM's writes in the run with all
// counters, is in the file but not read: it ends with the launch. A damaged or foreign file gives Issues with file and
// line.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "core/problem/problem.h"

namespace tilewalk {

struct HardwareLaunch {
  int launch = 0;  // the schedule's section
  std::int64_t read_bytes = 0, write_bytes = 0;
  std::int64_t l2_bytes = 0;
  std::int64_t dram_read_bytes = 0;
  // From a second run, each launch between two flushes of L2: DRAM's writes until the launch ended, and until the last
  // dirty byte had left L2.
  std::int64_t end_write_bytes = 0, flushed_write_bytes = 0;
  std::int64_t time_ns = 0;  // 0 in a total
  std::int64_t shared_bytes = 0;
};

// The most that the GPU writes by itself in that time: up to 0.75 MB in a flush without dirty bytes, and 256 KiB every
// 7 to 14 ms while any kernel runs, also one that only waits (assets/measurements/l2_writes_h200.csv, "spin").
std::int64_t most_own_writes(const HardwareLaunch&);

struct HardwareMeasurement {
  Problem problem;  // what decides the traffic: schedule, shapes, mask, tiles, dtype, splits
  std::vector<HardwareLaunch> launches;
  HardwareLaunch total() const;
};

struct HardwareTraffic {
  std::string gpu, driver, tool, date;
  std::vector<HardwareMeasurement> measurements;

  const HardwareMeasurement* find(const Problem&) const;  // null if that problem was not measured
};

Result<HardwareTraffic> parse_hardware_traffic(std::string_view text, const std::string& name);
Result<HardwareTraffic> load_hardware_traffic(const std::string& path);

}  // namespace tilewalk
