// Runs the kernel sources on the CPU. Options for tests: how many threads a block has, in which order they run, which
// barrier is left out.
#pragma once

#include <vector>

#include "kernels/host/backend.h"

namespace tilewalk {

struct CpuOptions {
  int threads = 5;
  std::uint64_t order_seed = 1;  // 0: increasing
  unsigned skip_barrier_line = 0;
  std::vector<unsigned>* barrier_lines = nullptr;  // collects the lines of the barriers that were reached
};

std::unique_ptr<Backend> make_cpu_backend(CpuOptions = {});  // null in a build for the browser

}  // namespace tilewalk
