// Untraced runs of every kernel over a grid of sizes, once each, to be watched by a profiler (tests/gpu/traffic.sh). Prints
// one CSV line for each launch, in the order of the launches: the problem, which launch of it, and the bytes that the
// machine model counts. Lines with launch -1 are launches outside the model, which only fetch m and l for L.
#pragma once

#include "kernels/kernel_api.h"

namespace tilewalk {

int run_traffic_grid(Runner, std::int64_t longest);

}  // namespace tilewalk
