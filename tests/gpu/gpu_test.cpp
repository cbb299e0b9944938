// The kernels on a real GPU: compared with the replay in every bit and with float64, outputs poisoned and between guard
// bands (run_kernel checks those in every run), the same bytes twice, and sentences where a problem does not fit.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstring>

#include "core/fields/validate.h"
#include "core/schedules/registry.h"
#include "core/schedules/row_fits.h"
#include "core/walk/schedule.h"
#include "core/witness/reference.h"
#include "kernels/host/kernel_api.h"
#include "tests/support/asked_for.h"
#include "tests/support/catch.h"
#include "tests/support/random_problem.h"
#include "trace/accuracy.h"
#include "trace/verify.h"

using namespace tilewalk;

namespace {

// False, with a printed message, where there is no GPU.
bool gpu_here() {
  static const DeviceReport report = probe_devices();
  if (!report.reason.empty()) test::skip("no GPU. " + report.reason);
  return report.reason.empty();
}

double unit_of(DType dtype) {  // in the last place of 1
  return dtype == DType::Fp32 ? 0x1p-23 : dtype == DType::Fp16 ? 0x1p-10 : 0x1p-7;
}

KernelResult run_gpu(const Inputs& inputs, std::optional<TraceDetail> detail) {
  KernelOutcome outcome = run_kernel(Runner::Gpu, inputs, detail);
  INFO((outcome.failure ? outcome.failure->text : std::string()));
  REQUIRE(outcome.result.has_value());
  return std::move(*outcome.result);
}

void require_equal_to_replay(const Problem& p, TraceDetail detail) {
  if (!has_kernel(p.schedule)) return;
  INFO(test::as_text(p));
  const Inputs inputs(p);
  KernelResult result = run_gpu(inputs, detail);
  const CheckReport report = verify(make_schedule(p), inputs, std::make_shared<Trace>(std::move(*result.trace)));
  INFO(sentence_of(report));
  REQUIRE(report.verdict == Verdict::Equal);
}

bool same_bits(const std::vector<float>& a, const std::vector<float>& b) {
  return a.size() == b.size() && std::memcmp(a.data(), b.data(), a.size() * sizeof(float)) == 0;
}

// Sizes at and around tile boundaries, head sizes at both ends.
std::vector<Problem> boundary_problems() {
  std::vector<Problem> all;
  for (ScheduleKind kind : all_schedules()) {
    if (!has_kernel(kind)) continue;
    for (DType dtype : {DType::Fp32, DType::Fp16, DType::Bf16}) {
      for (std::int64_t n : {1, 63, 64, 65, 127, 128, 129, 200}) {
        for (std::int64_t d : {1, 31, 64, 128, 256}) {
          Problem p;
          p.schedule = kind;
          p.tiling.splits = kind == ScheduleKind::SplitKv ? 1 + n % 5 : 1;
          p.tiling.rescale_threshold = double(n % 3);
          p.numerics.dtype = dtype;
          p.shape.n_q = n;
          p.shape.n_kv = n == 200 ? 77 : n;
          p.shape.d = d;
          p.tiling.br = p.tiling.bc = d > 128 ? 32 : 64;
          p.shape.mask.kind = n % 2 ? MaskKind::Causal : MaskKind::None;
          p.shape.heads = 2;
          p.shape.kv_heads = 1;
          p.machine.sram_bytes = 232448;
          if (kind == ScheduleKind::Standard && d == 1) p.machine.sram_bytes = 64 * 64 * 8 + 1024;
          if (!validate(p).empty()) continue;
          all.push_back(p);
          p.numerics.narrow_scores = may_have_narrow_scores(p);
          if (p.numerics.narrow_scores) all.push_back(p);
        }
      }
    }
  }
  return all;
}

// Largest error against float64 over some rows; NaN anywhere gives infinity.
double worst_error(const Inputs& inputs, const KernelResult& result) {
  const Problem& p = inputs.problem();
  double worst = 0;
  for (std::int64_t row = 0; row < p.shape.n_q; row += 7) {
    const ReferenceRow want = reference_row(inputs, {0, 0, row});
    for (std::int64_t x = 0; x < p.shape.d; ++x) {
      const double error = std::fabs(double(result.o.row(0, 0, row)[x]) - want.o[std::size_t(x)]);
      worst = error <= worst ? worst : std::isnan(error) ? INFINITY : error;
    }
  }
  return worst;
}

}  // namespace

TEST_CASE("kernels on the GPU equal the replay in every bit over random problems, which are near float64") {
  if (!gpu_here()) return;
  const std::uint64_t count = test::asked_for("TILEWALK_RANDOM_PROBLEMS", 300),
                      first = test::asked_for("TILEWALK_RANDOM_SEED", 0);
  for (std::uint64_t seed = first; seed < first + count; ++seed) {
    const Problem p = test::random_problem(seed);
    require_equal_to_replay(p, seed % 2 ? TraceDetail::State : TraceDetail::Hashes);
    if (!has_kernel(p.schedule)) continue;
    const Inputs inputs(p);
    const AccuracyReport accuracy = measure_accuracy(inputs);
    INFO(test::as_text(p));
    INFO(sentence_of(p, accuracy));
    REQUIRE(accuracy.verdict == Verdict::WithinRule);  // of the replay, whose bits the kernel has
  }
  fmt::print("{} random problems, seeds {} to {}, all within the rule\n", count, first, first + count - 1);
}

TEST_CASE("kernels on the GPU equal the replay at and around tile boundaries") {
  if (!gpu_here()) return;
  for (const Problem& p : boundary_problems()) require_equal_to_replay(p, TraceDetail::State);
}

TEST_CASE("a small grid of problems for compute-sanitizer") {
  if (!gpu_here()) return;
  for (std::uint64_t seed = 500; seed < 540; ++seed)
    require_equal_to_replay(test::random_problem(seed), seed % 2 ? TraceDetail::State : TraceDetail::Hashes);
  for (std::uint64_t seed = 540; seed < 560; ++seed) {
    const Problem p = test::random_problem(seed);
    if (has_kernel(p.schedule)) run_gpu(Inputs(p), std::nullopt);
  }
}

TEST_CASE("a row of scores that does not fit on chip gives the same bits") {
  if (!gpu_here()) return;
  Problem p;
  p.schedule = ScheduleKind::Standard;
  p.shape.n_q = 300;
  p.shape.n_kv = 20000;
  p.shape.d = 32;
  p.tiling.br = p.tiling.bc = 32;
  p.machine.sram_bytes = 16384;
  for (DType dtype : {DType::Fp32, DType::Bf16}) {
    p.numerics.dtype = dtype;
    REQUIRE(validate(p).empty());
    REQUIRE_FALSE(standard_row_fits(p));
    require_equal_to_replay(p, TraceDetail::Hashes);
  }
}

TEST_CASE("on the GPU no schedule has more than twice the error of standard attention in the same precision") {
  if (!gpu_here()) return;
  for (DType dtype : {DType::Fp32, DType::Fp16, DType::Bf16}) {
    for (std::int64_t n : {64, 500, 1500}) {
      Problem p;
      p.shape.n_q = p.shape.n_kv = n;
      p.shape.d = 64;
      p.tiling.br = p.tiling.bc = 64;
      p.numerics.dtype = dtype;
      p.machine.sram_bytes = 232448;
      INFO(test::as_text(p));
      p.schedule = ScheduleKind::Standard;
      const double standard = worst_error(Inputs(p), run_gpu(Inputs(p), std::nullopt));
      const double unit = unit_of(dtype);
      REQUIRE(standard <= 8 * unit);
      for (ScheduleKind kind : all_schedules()) {
        if (!has_kernel(kind)) continue;
        if (!has_kernel(kind)) continue;
        p.schedule = kind;
        p.tiling.splits = kind == ScheduleKind::SplitKv ? 4 : 1;
        const double error = worst_error(Inputs(p), run_gpu(Inputs(p), std::nullopt));
        INFO(name_of(kind) << " " << error << " standard " << standard);
        REQUIRE(error <= 2 * standard + unit / 4);
      }
    }
  }
}

TEST_CASE("on the GPU the same input twice gives the same bytes, traced or not") {
  if (!gpu_here()) return;
  for (ScheduleKind kind : all_schedules()) {
    if (!has_kernel(kind)) continue;
    Problem p;
    p.schedule = kind;
    p.tiling.splits = kind == ScheduleKind::SplitKv ? 3 : 1;
    p.shape.n_q = p.shape.n_kv = 700;
    p.shape.d = 80;
    p.tiling.br = 48;
    p.tiling.bc = 56;
    p.shape.mask.kind = MaskKind::Causal;
    p.machine.sram_bytes = 232448;
    const Inputs inputs(p);
    const KernelResult first = run_gpu(inputs, std::nullopt), second = run_gpu(inputs, std::nullopt),
                       traced = run_gpu(inputs, TraceDetail::Hashes);
    REQUIRE(same_bits(first.o.values, second.o.values));
    REQUIRE(same_bits(first.lse.values, second.lse.values));
    REQUIRE(same_bits(first.o.values, traced.o.values));
    for (auto gradient : {&KernelResult::dq, &KernelResult::dk, &KernelResult::dv}) {
      REQUIRE(same_bits((first.*gradient).values, (second.*gradient).values));
      REQUIRE(same_bits((first.*gradient).values, (traced.*gradient).values));
    }
    REQUIRE(same_bits(first.lse.values, traced.lse.values));
  }
}

TEST_CASE("a thread block that needs more shared memory than the GPU has is refused with the sum") {
  if (!gpu_here()) return;
  Problem p;
  p.shape.n_q = p.shape.n_kv = 1024;
  p.shape.d = 256;
  p.tiling.br = p.tiling.bc = 256;
  p.machine.sram_bytes = std::int64_t(1) << 30;
  const KernelOutcome outcome = run_kernel(Runner::Gpu, Inputs(p), std::nullopt);
  REQUIRE(outcome.failure.has_value());
  REQUIRE(outcome.failure->kind == KernelFailure::Kind::DoesNotFit);
  REQUIRE(outcome.failure->text.find("shared memory") != std::string::npos);
}

TEST_CASE("a problem larger than the GPU's memory is refused with the sum before anything is allocated") {
  if (!gpu_here()) return;
  Problem p;
  p.schedule = ScheduleKind::Standard;
  p.shape.n_q = p.shape.n_kv = 1 << 21;
  p.shape.d = 64;
  p.tiling.br = p.tiling.bc = 64;
  p.machine.sram_bytes = 1 << 20;
  const KernelOutcome outcome = run_kernel(Runner::Gpu, Inputs(p), std::nullopt);
  REQUIRE(outcome.failure.has_value());
  REQUIRE(outcome.failure->kind == KernelFailure::Kind::DoesNotFit);
  REQUIRE(outcome.failure->text.find("device memory") != std::string::npos);
}

TEST_CASE("a run on the GPU can be cancelled between slices") {
  if (!gpu_here()) return;
  Problem p;
  p.shape.n_q = p.shape.n_kv = 4096;
  p.shape.d = 64;
  p.tiling.br = p.tiling.bc = 64;
  p.shape.batch = 8;
  p.shape.heads = p.shape.kv_heads = 32;
  p.machine.sram_bytes = 232448;
  double last = 0;
  const KernelOutcome outcome = run_kernel(Runner::Gpu, Inputs(p), std::nullopt, [&](double fraction) {
    REQUIRE(fraction > last);
    last = fraction;
    return fraction < 0.5;
  });
  REQUIRE(outcome.failure.has_value());
  REQUIRE(outcome.failure->kind == KernelFailure::Kind::Cancelled);
  REQUIRE(last < 1);
}
