// The host side of a run, on a backend that can be told to misbehave.
#include "kernels/host/run_kernel.h"

#include <cmath>

#include "kernels/common/standard_backward.h"
#include "kernels/emulated/cpu_backend.h"
#include "tests/support/catch.h"

using namespace tilewalk;

namespace {

// The CPU backend with limits of its choosing, and a launch that may be left out or write too far.
class OddBackend final : public Backend {
 public:
  std::int64_t free = std::int64_t(1) << 40, shared = std::int64_t(1) << 30;
  bool skip_launches = false, write_before_o = false, fail_launch = false;

  Provenance provenance() const override { return inner_->provenance(); }
  std::int64_t free_bytes() override { return free; }
  std::int64_t shared_limit_bytes() const override { return shared; }
  std::int64_t slice_blocks() const override { return inner_->slice_blocks(); }
  void* allocate(std::size_t bytes) override { return inner_->allocate(bytes); }
  bool fill(void* to, unsigned char byte, std::size_t bytes) override { return inner_->fill(to, byte, bytes); }
  bool copy_in(void* to, const void* from, std::size_t bytes) override { return inner_->copy_in(to, from, bytes); }
  bool copy_out(void* to, const void* from, std::size_t bytes) override { return inner_->copy_out(to, from, bytes); }
  bool launch(const KernelKey& key, const StandardBackwardAttention& a, std::int64_t blocks, std::size_t shared_bytes) override {
    error_ = "The GPU failed at running a kernel: out of luck";
    if (write_before_o) static_cast<unsigned char*>(a.gO)[-1] = 0;
    return !fail_launch && (skip_launches || inner_->launch(key, a, blocks, shared_bytes));
  }
  double milliseconds() const override { return 0; }
  void reset_clock() override {}
  const std::string& error() const override { return error_; }

 private:
  std::unique_ptr<Backend> inner_ = make_cpu_backend();
  std::string error_;
};

KernelFailure failure_of(OddBackend& backend, const Problem& p) {
  const KernelOutcome outcome = run_on(backend, Inputs(p), std::nullopt, {});
  REQUIRE(outcome.failure.has_value());
  REQUIRE_FALSE(outcome.result.has_value());
  return *outcome.failure;
}

}  // namespace

TEST_CASE("a problem that does not fit is refused with the sum") {
  OddBackend small_memory;
  small_memory.free = 1000;
  KernelFailure failure = failure_of(small_memory, Problem{});
  REQUIRE(failure.kind == KernelFailure::Kind::DoesNotFit);
  REQUIRE(failure.text ==
          "The kernel needs Q 256 B + K 256 B + V 256 B + O 256 B + L 64 B = 1.06 KiB of device memory, and 1000 B are "
          "free");
  OddBackend small_shared;
  small_shared.shared = 367;
  failure = failure_of(small_shared, Problem{});
  REQUIRE(failure.kind == KernelFailure::Kind::DoesNotFit);
  REQUIRE(failure.text.find("= 368 B of shared memory, and this device gives at most 367 B") != std::string::npos);
}

TEST_CASE("what a kernel leaves unwritten is NaN, never a plausible number") {
  OddBackend lazy;
  lazy.skip_launches = true;
  for (DType dtype : {DType::Fp32, DType::Fp16, DType::Bf16}) {
    Problem p;
    p.numerics.dtype = dtype;
    const KernelOutcome outcome = run_on(lazy, Inputs(p), std::nullopt, {});
    REQUIRE(outcome.result.has_value());
    for (float x : outcome.result->o.values) REQUIRE(std::isnan(x));
    for (float x : outcome.result->lse.values) REQUIRE(std::isnan(x));
  }
}

TEST_CASE("a byte written outside an output is reported") {
  OddBackend wild;
  wild.write_before_o = true;
  const KernelFailure failure = failure_of(wild, Problem{});
  REQUIRE(failure.kind == KernelFailure::Kind::Failed);
  REQUIRE(failure.text == "The kernel wrote outside O");
}

TEST_CASE("a failing launch passes its sentence on") {
  OddBackend broken;
  broken.fail_launch = true;
  REQUIRE(failure_of(broken, Problem{}).text == "The GPU failed at running a kernel: out of luck");
}

TEST_CASE("every schedule has a kernel") {
  for (ScheduleKind kind : all_schedules()) {
    INFO(name_of(kind));
    REQUIRE(has_kernel(kind));
  }
}

TEST_CASE("a row of the forward pass that no thread block can hold is refused, and the way out is fewer keys") {
  OddBackend small_shared;
  small_shared.shared = 2000;
  Problem p;
  p.schedule = ScheduleKind::BackwardStandard;
  p.shape.n_kv = 500;
  const KernelFailure failure = failure_of(small_shared, p);
  REQUIRE(failure.kind == KernelFailure::Kind::DoesNotFit);
  REQUIRE(failure.text ==
          "A thread block needs row of S 1.95 KiB + m and l 8 B = 1.96 KiB of shared memory, and this device gives at "
          "most 1.95 KiB. Make n_kv smaller");
}

TEST_CASE("the forward pass before a backward pass is not in its time, and gradients have the shapes of Q, K and V") {
  Problem p;
  p.shape.heads = 2;
  p.shape.n_q = 7;
  p.shape.n_kv = 9;
  for (ScheduleKind kind : {ScheduleKind::Backward, ScheduleKind::BackwardV1, ScheduleKind::BackwardStandard}) {
    p.schedule = kind;
    const KernelOutcome outcome = run_kernel(Runner::Cpu, Inputs(p), std::nullopt);
    REQUIRE(outcome.result.has_value());
    REQUIRE(outcome.result->dq.size() == 2 * 7 * 4);
    REQUIRE(outcome.result->dk.size() == 9 * 4);
    REQUIRE(outcome.result->dv.size() == 9 * 4);
    for (const Tensor* each : {&outcome.result->dq, &outcome.result->dk, &outcome.result->dv})
      for (float x : each->values) REQUIRE(std::isfinite(x));
  }
  p.schedule = ScheduleKind::FlashV2;
  REQUIRE(run_kernel(Runner::Cpu, Inputs(p), std::nullopt).result->dq.values.empty());
}

TEST_CASE("progress rises to 1 and a run can be cancelled") {
  for (ScheduleKind kind : all_schedules()) {
    if (!has_kernel(kind)) continue;
    Problem p;
    p.schedule = kind;
    double last = 0;
    int calls = 0;
    KernelOutcome outcome = run_kernel(Runner::Cpu, Inputs(p), std::nullopt, [&](double fraction) {
      REQUIRE(fraction >= last);
      REQUIRE(fraction <= 1);
      last = fraction;
      ++calls;
      return true;
    });
    REQUIRE(outcome.result.has_value());
    REQUIRE(last == 1.0);
    REQUIRE(calls >= 4);
    outcome = run_kernel(Runner::Cpu, Inputs(p), std::nullopt, [](double) { return false; });
    REQUIRE(outcome.failure->kind == KernelFailure::Kind::Cancelled);
  }
}
