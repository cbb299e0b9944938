// A run of a teaching kernel on a given backend, and the two ways to get one.
#pragma once

#include <memory>

#include "kernels/host/backend.h"
#include "kernels/kernel_api.h"

namespace tilewalk {

KernelOutcome run_on(Backend&, const Inputs&, std::optional<TraceDetail>, const KernelProgress&);

// The first usable GPU, or why there is none.
Result<std::unique_ptr<Backend>> make_gpu_backend();

}  // namespace tilewalk
