// The engine's budgets, measured: medians of repeats, with the reference timed in the same run, alternating with the
// replay. Times are wall clock on one thread; other load on the machine affects both sides of a ratio.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "base/result.h"

namespace tilewalk {

struct ReplayBench {
  double ns_per_tile_visit = 0;  // Br = Bc = d = 64, fp32; m, l, alpha and O are copied out after every visit
  double openblas_ns = 0;        // OpenBLAS's time for the visit's two products alone, one thread
  double ratio = 0;              // median of the ratios of neighbouring repeats
  std::string openblas_core;     // whose kernels OpenBLAS ran: "SkylakeX"
  std::string better_core;       // OPENBLAS_CORETYPE for this processor, if those are older than it: no reference then
};

struct SeekBench {
  double p50_ms = 0;  // cold seek to a random step, N = 65,536, d = 64, tiles 64, no mask
  double p99_ms = 0;
  int seeks = 0, threads = 1;
};

struct CountersBench {
  double ns_small = 0;  // totals before a random step, N = 1,024
  double ns_large = 0;  // the same at N = 16,777,216
};

struct MemoryBench {
  std::int64_t bytes = 0;  // heap bytes with an N = 1,048,576 schedule open, counters read, a late Q tile in view
};

double quantile(std::vector<double> values, double q);  // q 0 to 1; precondition: values is not empty

Result<ReplayBench> bench_replay();  // an issue where there is no OpenBLAS
SeekBench bench_seek();
CountersBench bench_counters();
MemoryBench bench_memory();
std::string machine_text();  // processor, cores, instruction set in use

}  // namespace tilewalk
