// A run of a teaching kernel on a given backend, and two functions that create backends.
#pragma once

#include <memory>

#include "kernels/host/backend.h"
#include "kernels/kernel_api.h"

namespace tilewalk {

KernelOutcome run_on(Backend&, const Inputs&, std::optional<TraceDetail>, const KernelProgress&);

// The first usable GPU, or the reason why there is none.
Result<std::unique_ptr<Backend>> make_gpu_backend();

}  // namespace tilewalk
