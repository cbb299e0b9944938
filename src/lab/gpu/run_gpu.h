// Runs a job on the first GPU: only in a child process, which a kernel may hang or crash (lab/gpu/gpu_child).
#pragma once

#include "lab/gpu/gpu_job.h"

namespace tilewalk::lab {

// After Deadline or Crashed the CUDA context is of no further use: the process must end without it (_exit).
GpuRun run_on_gpu(const GpuJob&);

// Reads the job, runs it and writes the result whole; then the process ends. Returns only where a file fails.
int run_gpu_child(const std::string& job_file, const std::string& run_file);

}  // namespace tilewalk::lab
