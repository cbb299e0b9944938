// Untraced runs of every kernel over a grid of sizes, once each, for a profiler (tests/gpu/traffic.sh). Prints one CSV
// line for each launch of the schedule, in order: the problem, which launch of it, and the bytes that the machine model
// counts. The profiler records only these launches: neither the forward pass before a backward pass nor a launch that
// only fetches m and l for L. With `flush` each is between two flushes of L2, which are recorded too. Problems in the
// table `without` are left out.
#pragma once

#include "kernels/host/kernel_api.h"

namespace tilewalk {

struct TrafficGridOptions {
  std::int64_t longest = 65536;  // n_kv
  bool flush = false;
  std::string without;  // a path, or empty
};

int run_traffic_grid(Runner, const TrafficGridOptions&);

}  // namespace tilewalk
