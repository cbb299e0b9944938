// Times of kernels/cpu on the measured Xeon: medians of raw samples, one thread, fp32, by contender ("naive", "tiled",
// and "untiled": the tiled kernel with one tile for all keys) and call.
// Not here: other types, more threads, other processors' tables.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "base/result.h"

namespace tilewalk {

struct CpuTime {
  std::string contender;
  std::int64_t n = 0, d = 0;
  bool causal = false;
  double ms = 0;
};

struct CpuTimes {
  std::vector<CpuTime> times;
  std::optional<double> ms_of(const std::string& contender, std::int64_t n, std::int64_t d, bool causal) const;
};

inline constexpr const char* kCpuTimesFile = "assets/measurements/cpu_xeon_model207_2026-11-21.csv";
Result<CpuTimes> load_cpu_times(const std::string& path);

}  // namespace tilewalk
