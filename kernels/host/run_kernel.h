// A run of a teaching kernel on a given backend, and two functions that create backends.
#pragma once

#include <memory>
#include <vector>

#include "kernels/host/backend.h"
#include "kernels/host/kernel_api.h"

namespace tilewalk {

KernelOutcome run_on(Backend&, const Inputs&, std::optional<TraceDetail>, const KernelProgress&);

// The CPU as a backend. Options for tests: how many threads a block has, in which order they run, which barrier is left
// out.
struct CpuOptions {
  int threads = 5;
  std::uint64_t order_seed = 1;  // 0: increasing
  unsigned skip_barrier_line = 0;
  std::vector<unsigned>* barrier_lines = nullptr;  // collects the lines of the barriers that were reached
};
std::unique_ptr<Backend> make_cpu_backend(CpuOptions = {});  // null in a build for the browser

// The first usable GPU, or the reason why there is none.
Result<std::unique_ptr<Backend>> make_gpu_backend();

}  // namespace tilewalk
