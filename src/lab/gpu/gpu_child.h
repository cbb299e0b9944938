// Runs a GPU job in a child process: this program again, with a hidden command. A kernel that hangs or crashes ends the
// child; this process never loads CUDA.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "lab/gpu/gpu_job.h"

namespace tilewalk::lab {

struct GpuChild {
  // The child's command line, to which the files of the job and the result are appended; it must call run_gpu_child.
  std::vector<std::string> command = {};
  std::int64_t most_ms = 90'000;    // until the child is killed, compiling included
  std::function<bool()> stop = {};  // true: the user has cancelled
};

// The program that is running, with the words after it.
GpuChild own_program(std::vector<std::string> words);

GpuRun run_in_child(const GpuJob&, const GpuChild&);

}  // namespace tilewalk::lab
