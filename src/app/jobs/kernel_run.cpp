#include "app/jobs/kernel_run.h"

#include <fmt/format.h>

#include "app/cli/output.h"
#include "app/jobs/long_work.h"
#include "app/streams.h"
#include "core/schedules/registry.h"

namespace tilewalk {

TraceDetail detail_for(const Problem& p) {
  return full_state_bytes(p) <= std::int64_t(256) << 20 ? TraceDetail::State : TraceDetail::Hashes;
}

KernelOutcome run_kernel_if_any(Runner runner, const Inputs& inputs, std::optional<TraceDetail> detail,
                                const KernelProgress& progress) {
  const ScheduleKind schedule = inputs.problem().schedule;
  if (has_kernel(schedule)) return run_kernel(runner, inputs, detail, progress);
  return {
      {},
      KernelFailure{KernelFailure::Kind::NoDevice,
                    fmt::format("There is no kernel for {} yet; the replay walks it all the same", name_of(schedule))}};
}

const char* kernel_words(Runner runner) {
  return runner == Runner::Gpu ? "Running the kernel on the GPU" : "Running the kernel source on the CPU";
}

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
