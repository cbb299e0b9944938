// The kernel sources, run on the CPU, compared with the replay (every bit) and with float64 (a tolerance), over random
// problems from everything that the engine accepts.
#include <cmath>
#include <cstring>

#include "core/walk/schedule.h"
#include "core/witness/reference.h"
#include "kernels/host/run_kernel.h"
#include "tests/support/catch.h"
#include "tests/support/random_problem.h"
#include "trace/verify.h"

using namespace tilewalk;

namespace {

KernelResult run_cpu(const Inputs& inputs, std::optional<TraceDetail> detail, CpuOptions options = {}) {
  const auto backend = make_cpu_backend(options);
  KernelOutcome outcome = run_on(*backend, inputs, detail, {});
  INFO((outcome.failure ? outcome.failure->text : std::string()));
  REQUIRE(outcome.result.has_value());
  return std::move(*outcome.result);
}

CheckReport check(const Inputs& inputs, KernelResult& result) {
  return verify(make_schedule(inputs.problem()), inputs, std::make_shared<Trace>(std::move(*result.trace)));
}

bool same_bits(const std::vector<float>& a, const std::vector<float>& b) {
  return a.size() == b.size() && (a.empty() || std::memcmp(a.data(), b.data(), a.size() * sizeof(float)) == 0);
}

}  // namespace

TEST_CASE("kernels on the CPU equal the replay in every bit of every visit") {
  for (std::uint64_t seed = 0; seed < 400; ++seed) {
    const Problem p = test::random_problem(seed);
    if (!has_kernel(p.schedule)) continue;
    INFO(test::as_text(p));
    const Inputs inputs(p);
    CpuOptions options;
    options.threads = 1 + int(seed % 7);
    options.order_seed = seed;
    KernelResult result = run_cpu(inputs, TraceDetail::State, options);
    const CheckReport report = check(inputs, result);
    INFO(sentence_of(report));
    REQUIRE(report.verdict == Verdict::Equal);
    REQUIRE(report.tile_visits == make_schedule(p)->visit_counts().visited());
  }
}

TEST_CASE("hashes recorded by kernels on the CPU equal the replay's") {
  for (std::uint64_t seed = 1000; seed < 1100; ++seed) {
    const Problem p = test::random_problem(seed);
    if (!has_kernel(p.schedule)) continue;
    INFO(test::as_text(p));
    const Inputs inputs(p);
    KernelResult result = run_cpu(inputs, TraceDetail::Hashes);
    const CheckReport report = check(inputs, result);
    INFO(sentence_of(report));
    REQUIRE(report.verdict == Verdict::Equal);
    REQUIRE_FALSE(report.max_ulp.has_value());
  }
}

TEST_CASE("neither recording nor the number of threads or their order changes the result") {
  for (std::uint64_t seed = 2000; seed < 2080; ++seed) {
    const Problem p = test::random_problem(seed);
    if (!has_kernel(p.schedule)) continue;
    INFO(test::as_text(p));
    const Inputs inputs(p);
    const KernelResult plain = run_cpu(inputs, std::nullopt, {.threads = 1, .order_seed = 0});
    const KernelResult traced = run_cpu(inputs, TraceDetail::State, {.threads = 6, .order_seed = seed});
    REQUIRE(same_bits(plain.o.values, traced.o.values));
    REQUIRE(same_bits(plain.lse.values, traced.lse.values));
    for (auto gradient : {&KernelResult::dq, &KernelResult::dk, &KernelResult::dv})
      REQUIRE(same_bits((plain.*gradient).values, (traced.*gradient).values));
  }
}

TEST_CASE("kernels on the CPU agree with float64") {
  for (std::uint64_t seed = 3000; seed < 3120; ++seed) {
    const Problem p = test::random_problem(seed);
    if (!has_kernel(p.schedule)) continue;
    INFO(test::as_text(p));
    const Inputs inputs(p);
    const KernelResult result = run_cpu(inputs, std::nullopt);
    const double unit = p.numerics.dtype == DType::Fp32 ? 0x1p-23 : p.numerics.dtype == DType::Fp16 ? 0x1p-10 : 0x1p-7;
    double value_max = 0;
    for (float v : inputs.whole(TensorId::V).values) value_max = std::max(value_max, std::fabs(double(v)));
    for (std::int64_t b = 0; b < p.shape.batch; ++b) {
      for (std::int64_t h = 0; h < p.shape.heads; ++h) {
        for (std::int64_t row = 0; row < p.shape.n_q; ++row) {
          const ReferenceRow want = reference_row(inputs, {b, h, row});
          // Scores have d roundings of their own size; P inherits them. Outliers give scores in the hundreds.
          const double score = std::isfinite(want.max_score) ? std::fabs(want.max_score) : 0;
          // Rounded scores move the weights, and all together 1 at most to other columns.
          const double of_scores = p.numerics.narrow_scores ? unit * (score + std::log2(double(p.shape.n_kv)) + 1) : 0;
          const double limit =
              value_max *
              (std::min(2.0, 2 * of_scores) + 8 * unit +
               0x1p-23 * (double(p.shape.d) + double(p.shape.n_kv) + 64 * (score + 1) * std::sqrt(double(p.shape.d))));
          for (std::int64_t x = 0; x < p.shape.d; ++x) {
            const double error = std::fabs(double(result.o.row(b, h, row)[x]) - want.o[std::size_t(x)]);
            INFO("row " << row << " x " << x << " got " << result.o.row(b, h, row)[x] << " want "
                        << want.o[std::size_t(x)]);
            REQUIRE(error <= limit);
          }
          const double lse = double(result.lse.row(b, h, row)[0]) * (p.numerics.base == Base::E ? std::log(2.0) : 1.0);
          if (std::isinf(want.lse)) {
            REQUIRE(result.lse.row(b, h, row)[0] > 0);
            REQUIRE(std::isinf(lse));
          } else {
            REQUIRE(std::fabs(lse - want.lse) <= of_scores + 0x1p-20 * (std::fabs(want.lse) + 64 * score + 1));
          }
        }
      }
    }
  }
}
