// Running a kernel from the command line: progress, Ctrl-C, and the exit code of each way to fail.
#pragma once

#include "app/jobs/kernel_run.h"

namespace tilewalk {

KernelOutcome run_kernel_on_terminal(Runner, const Inputs&, std::optional<TraceDetail>);

int kernel_failure_exit(const KernelFailure&);  // prints the sentence

}  // namespace tilewalk
