// The host side of a run, on a backend that misbehaves on request.
#include "kernels/host/run_kernel.h"

#include <cmath>
#include <set>

#include "core/schedules/registry.h"
#include "core/walk/schedule.h"
#include "kernels/host/device_buffers.h"
#include "kernels/host/launch_plan.h"
#include "kernels/host/passes.h"
#include "kernels/host/slots.h"
#include "tests/support/catch.h"

using namespace tilewalk;

namespace {

// The CPU backend with chosen limits, and a launch that may be left out or write too far.
class OddBackend final : public Backend {
 public:
  std::int64_t free = std::int64_t(1) << 40, shared = std::int64_t(1) << 30;
  bool skip_launches = false, write_before_o = false, fail_launch = false;

  Provenance provenance() const override { return inner_->provenance(); }
  Result<std::int64_t> free_bytes() override { return free; }
  std::int64_t shared_limit_bytes() const override { return shared; }
  std::int64_t slice_blocks() const override { return inner_->slice_blocks(); }
  Result<void*> allocate(std::size_t bytes) override { return inner_->allocate(bytes); }
  Result<Done> fill(void* to, unsigned char byte, std::size_t bytes) override { return inner_->fill(to, byte, bytes); }
  Result<Done> copy_in(void* to, const void* from, std::size_t bytes) override {
    return inner_->copy_in(to, from, bytes);
  }
  Result<Done> copy_out(void* to, const void* from, std::size_t bytes) override {
    return inner_->copy_out(to, from, bytes);
  }
  Result<Done> launch(const KernelKey& key, const LaunchArgs& args, std::int64_t blocks,
                      std::size_t shared_bytes) override {
    if (write_before_o) static_cast<unsigned char*>(args.at(Slot::O))[-1] = 0;
    if (fail_launch) return sentence("The GPU failed at running a kernel: out of luck");
    return skip_launches ? Done{} : inner_->launch(key, args, blocks, shared_bytes);
  }
  double milliseconds() const override { return 0; }
  void reset_clock() override {}

 private:
  std::unique_ptr<Backend> inner_ = make_cpu_backend();
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

TEST_CASE("unwritten output is NaN, never a plausible number") {
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

TEST_CASE("a kernel without one of its buffers is refused with its name, never run") {
  for (ScheduleKind kind : all_schedules()) {
    Problem p;
    p.schedule = kind;
    p.numerics.dtype = DType::Bf16;
    const auto backend = make_cpu_backend();
    for (const PassPlan& pass : passes_of(p)) {
      const KernelKey key{.pass = pass.pass, .dtype = p.numerics.dtype, .traced = !pass.forward};
      LaunchArgs args = launch_args_of(p);
      for (std::size_t given = 0; given < kSlotCount; ++given) {
        args = launch_args_of(p);  // all except one that only a trace needs
        for (const SlotInfo& info : kSlotInfo) args.at(info.slot) = &args;
        args.at(Slot(given)) = nullptr;
        const Result<Done> done = backend->launch(key, args, 0, 0);
        if (!done)
          REQUIRE(text_of(done.issues()) ==
                  std::string("A kernel was to run without its buffer ") + info_of(Slot(given)).label);
      }
      for (const SlotInfo& info : kSlotInfo) args.at(info.slot) = nullptr;
      INFO(name_of(kind));
      REQUIRE_FALSE(backend->launch(key, args, 0, 0).ok());
    }
  }
}

TEST_CASE("a problem has each of its buffers once, and a trace adds only trace buffers") {
  for (ScheduleKind kind : all_schedules()) {
    for (DType dtype : {DType::Fp32, DType::Bf16}) {
      Problem p;
      p.schedule = kind;
      p.numerics.dtype = dtype;
      const std::vector<SlotSize> plain = slots_of(p, std::nullopt, {});
      for (TraceDetail detail : {TraceDetail::Hashes, TraceDetail::State}) {
        const std::vector<SlotSize> all = slots_of(p, detail, visits_of(p));
        std::set<Slot> seen;
        for (std::size_t i = 0; i < all.size(); ++i) {
          INFO(name_of(kind) << " " << info_of(all[i].slot).label);
          REQUIRE(seen.insert(all[i].slot).second);
          REQUIRE(all[i].bytes > 0);
          if (i >= plain.size())
            REQUIRE((all[i].slot == Slot::Visits || info_of(all[i].slot).use == SlotUse::Trace));
          else
            REQUIRE(all[i].slot == plain[i].slot);
        }
      }
    }
  }
}

TEST_CASE("data copied into a buffer has its size, and a missing buffer is not read") {
  const auto backend = make_cpu_backend();
  DeviceBuffers buffers(*backend);
  REQUIRE(buffers.allocate({{Slot::Q, 8}}).ok());
  const std::vector<float> two = {1, 2};
  REQUIRE(buffers.place(Slot::Q, two.data(), 8).ok());
  REQUIRE(*buffers.fetch<float>(Slot::Q) == two);
  REQUIRE(text_of(buffers.place(Slot::Q, two.data(), 4).issues()) ==
          "The buffer Q has another size than what goes into it");
  REQUIRE(text_of(buffers.place(Slot::dO, two.data(), 8).issues()) == "There is no buffer dO");
  REQUIRE(text_of(buffers.fetch<float>(Slot::O).issues()) == "There is no buffer O");
  REQUIRE(buffers.fetch_if_any<float>(Slot::O)->empty());
}

TEST_CASE("a failing launch returns its sentence") {
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

TEST_CASE("a row of the forward pass too large for a thread block is refused, with the advice to use fewer keys") {
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
