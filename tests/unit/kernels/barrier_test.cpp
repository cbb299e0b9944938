// Each barrier of the kernels is necessary: without any one of them, under some order of threads, the check fails. So
// the check would also detect a forgotten barrier.
#include "core/fields/validate.h"
#include "core/schedules/registry.h"
#include "core/schedules/row_fits.h"
#include "core/walk/schedule.h"
#include "kernels/host/run_kernel.h"
#include "tests/support/catch.h"
#include "trace/verify.h"

using namespace tilewalk;

namespace {

Problem problem_with(ScheduleKind kind, bool row_fits) {
  Problem p;
  p.schedule = kind;
  p.shape.n_q = 9;
  p.shape.n_kv = 13;
  p.shape.d = 5;
  p.tiling.br = 4;
  p.tiling.bc = 4;
  p.shape.mask.kind = MaskKind::Causal;
  p.machine.sram_bytes = 1 << 16;
  if (kind == ScheduleKind::SplitKv) p.tiling.splits = 3;
  if (!row_fits) p.machine.sram_bytes = p.shape.n_kv * 4 + 7;
  return p;
}

// Compares with the replay and, where `o` is given, with that O: a backward pass's trace does not contain the results
// of its forward pass.
bool equal(const Problem& p, const CpuOptions& options, const Tensor* o = nullptr) {
  const Inputs inputs(p);
  const auto backend = make_cpu_backend(options);
  KernelOutcome outcome = run_on(*backend, inputs, TraceDetail::State, {});
  if (!outcome.result || (o && !(outcome.result->o == *o))) return false;
  const auto trace = std::make_shared<Trace>(std::move(*outcome.result->trace));
  Problem roomy = p;
  roomy.machine.sram_bytes = 1 << 16;
  return verify(make_schedule(roomy), Inputs(roomy), trace).verdict == Verdict::Equal;
}

// Enough threads that each of a kernel's groups has more than one.
void require_each_barrier_needed(const Problem& p, int threads = 3) {
  std::vector<unsigned> lines;
  REQUIRE(equal(p, {.threads = threads, .order_seed = 1, .skip_barrier_line = 0, .barrier_lines = &lines}));
  REQUIRE(lines.size() >= 5);
  const Tensor o = run_on(*make_cpu_backend(), Inputs(p), std::nullopt, {}).result->o;
  for (unsigned line : lines) {
    bool seen = false;
    for (std::uint64_t order = 1; order <= 20 && !seen; ++order)
      seen = !equal(p, {.threads = threads, .order_seed = order, .skip_barrier_line = line}, &o);
    INFO("barrier on line " << line << " of the kernel of " << name_of(p.schedule));
    CHECK(seen);
  }
}

}  // namespace

TEST_CASE("leaving out any barrier of flash_v2 is detected") {
  require_each_barrier_needed(problem_with(ScheduleKind::FlashV2, true));
}

TEST_CASE("leaving out any barrier of flash_v1 is detected") {
  require_each_barrier_needed(problem_with(ScheduleKind::FlashV1, true));
}

TEST_CASE("leaving out any barrier of flash_v4 is detected") {
  require_each_barrier_needed(problem_with(ScheduleKind::FlashV4, true));
}

TEST_CASE("leaving out any barrier of flash_v3 is detected, for any number of stages") {
  for (int stages : {1, 2, 3, 4, 7}) {
    Problem p = problem_with(ScheduleKind::FlashV3, true);
    p.tiling.stages = stages;
    p.shape.mask.kind = MaskKind::CausalBottomRight;  // with more queries than keys: the first Q tile sees no key
    p.shape.n_q = 13;
    p.shape.n_kv = 9;
    p.lanes.overlap = p.lanes.ping_pong = stages > 1;
    REQUIRE(validate(p).empty());
    require_each_barrier_needed(p, 7);
  }
}

TEST_CASE("leaving out any barrier of backward is detected") {
  Problem p = problem_with(ScheduleKind::Backward, true);
  p.shape.heads = 2;
  require_each_barrier_needed(p);
}

TEST_CASE("leaving out any barrier of backward_v1 is detected") {
  Problem p = problem_with(ScheduleKind::BackwardV1, true);
  p.shape.heads = 2;
  require_each_barrier_needed(p);
}

TEST_CASE("leaving out any barrier of backward_standard is detected, whether a row of P and dP fits or not") {
  Problem p = problem_with(ScheduleKind::BackwardStandard, true);
  p.shape.heads = 2;
  require_each_barrier_needed(p);
  p.machine.sram_bytes = p.shape.n_kv * 8 + 3;
  REQUIRE_FALSE(backward_row_fits(p));
  require_each_barrier_needed(p);
}

TEST_CASE("leaving out any barrier of split_kv is detected") {
  require_each_barrier_needed(problem_with(ScheduleKind::SplitKv, true));
}

TEST_CASE("leaving out any barrier of standard is detected") {
  require_each_barrier_needed(problem_with(ScheduleKind::Standard, true));
}

TEST_CASE("leaving out any barrier of standard is detected where a row of scores does not fit") {
  require_each_barrier_needed(problem_with(ScheduleKind::Standard, false));
}
