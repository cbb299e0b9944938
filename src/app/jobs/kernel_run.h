// Runs a schedule's kernel: the detail of its trace, and the words of its progress.
#pragma once

#include "kernels/host/kernel_api.h"

namespace tilewalk {

// States if they take at most 256 MiB, else hashes.
TraceDetail detail_for(const Problem&);

// A schedule without a kernel gives the same failure as a machine without a device.
KernelOutcome run_kernel_if_any(Runner, const Inputs&, std::optional<TraceDetail>, const KernelProgress&);

const char* kernel_words(Runner);  // the words of a progress line for it

}  // namespace tilewalk
