#include "app/cli/kernel_on_terminal.h"

#include "app/cli/output.h"
#include "app/jobs/long_work.h"
#include "app/streams.h"

namespace tilewalk {

KernelOutcome run_kernel_on_terminal(Runner runner, const Inputs& inputs, std::optional<TraceDetail> detail) {
  Progress progress(kernel_words(runner));
  return run_kernel_if_any(runner, inputs, detail, [&](double fraction) { return progress.update(fraction); });
}

int kernel_failure_exit(const KernelFailure& failure) {
  if (failure.kind == KernelFailure::Kind::Cancelled) return interrupted_exit();
  complain(failure.text);
  return failure.kind == KernelFailure::Kind::Failed ? kExitInternal : kExitNoDevice;
}

}  // namespace tilewalk
