// Running a kernel from the command line: progress, Ctrl-C, what to keep, and the exit code of each way to fail.
#pragma once

#include "kernels/kernel_api.h"

namespace tilewalk {

// State while it takes at most 256 MiB, else hashes.
TraceDetail detail_for(const Problem&);

KernelOutcome run_kernel_on_terminal(Runner, const Inputs&, std::optional<TraceDetail>);

int kernel_failure_exit(const KernelFailure&);  // prints the sentence

}  // namespace tilewalk
