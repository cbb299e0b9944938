// Running a schedule's kernel: what its trace keeps, and the words of its progress.
#pragma once

#include "kernels/kernel_api.h"

namespace tilewalk {

// State while it takes at most 256 MiB, else hashes.
TraceDetail detail_for(const Problem&);

// Without a kernel for the schedule there is nothing to run it with: to the caller the same as no device.
KernelOutcome run_kernel_if_any(Runner, const Inputs&, std::optional<TraceDetail>, const KernelProgress&);

const char* kernel_words(Runner);  // what a progress line says of it

}  // namespace tilewalk
