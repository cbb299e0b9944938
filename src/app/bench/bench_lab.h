// How fast the lab's machine runs a kernel: FA-2's loop at N = 64, d = 32, tiles of 16, with a thread block of 64.
#pragma once

#include <string>

#include "base/result.h"

namespace tilewalk {

struct LabBench {
  double steps_per_second = 0;  // instructions of all threads, on one core
  double seconds = 0;           // of that run
  long long steps = 0;
};

// The text is a kernel of the lab: the solution of task 5.
Result<LabBench> bench_lab(const std::string& text);

}  // namespace tilewalk
