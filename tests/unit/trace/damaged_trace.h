// Traces of a small problem by the kernels' sources run on the CPU, to be damaged, and the checker's reports about
// them.
#pragma once

#include <bit>
#include <memory>
#include <string>

#include "core/schedules/registry.h"
#include "kernels/host/kernel_api.h"
#include "tests/support/catch.h"
#include "trace/verify.h"

namespace tilewalk::test {

inline Problem problem_of(ScheduleKind kind) {
  Problem p;  // 16 rows, tiles of 4, causal: 10 visits; standard and backward_standard 16
  p.schedule = kind;
  p.shape.mask.kind = MaskKind::Causal;
  return p;
}

inline Trace trace_of(const Problem& p, TraceDetail detail = TraceDetail::State) {
  KernelOutcome outcome = run_kernel(Runner::Cpu, Inputs(p), detail);
  REQUIRE(outcome.result.has_value());
  return std::move(*outcome.result->trace);
}

inline CheckReport check(const Problem& p, Trace trace, const std::string& digest = {}) {
  return verify(make_schedule(p), Inputs(p), std::make_shared<Trace>(std::move(trace)), {digest});
}

inline void flip_lowest_bit(float& x) { x = std::bit_cast<float>(std::bit_cast<std::uint32_t>(x) ^ 1u); }

}  // namespace tilewalk::test
