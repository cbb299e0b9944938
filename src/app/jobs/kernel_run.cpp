#include "app/jobs/kernel_run.h"

#include <fmt/format.h>

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

}  // namespace tilewalk
