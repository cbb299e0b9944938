// The verdict about results of very small problems, where naive attention is often nearer to float64 than its roundings
// allow: right results are never rejected, wrong ones always are. TILEWALK_RANDOM_PROBLEMS=20000 samples as many
// (TILEWALK_RANDOM_SEED: others).
#include <cmath>
#include <cstdio>
#include <map>

#include "core/walk/schedule.h"
#include "tests/support/asked_for.h"
#include "tests/support/catch.h"
#include "tests/support/small_problem.h"
#include "trace/accuracy.h"

using namespace tilewalk;

namespace {

std::uint64_t problem_count() { return test::asked_for("TILEWALK_RANDOM_PROBLEMS", 600); }
std::uint64_t first_seed() { return test::asked_for("TILEWALK_RANDOM_SEED", 0); }

using Results = std::map<TensorId, std::vector<float>>;

struct Measured {
  AccuracyReport report;
  Results results;
};

Measured measured(const Inputs& inputs) {
  Measured out;
  AccuracyOptions options;
  options.alter_results = [&](TensorId id, std::vector<float>& values) {
    out.results[id].insert(out.results[id].end(), values.begin(), values.end());
  };
  out.report = measure_accuracy(inputs, options);
  return out;
}

double largest_difference(const std::vector<float>& a, const std::vector<float>& b) {
  REQUIRE(a.size() == b.size());
  double largest = 0;
  for (std::size_t i = 0; i < a.size(); ++i) {
    const double difference = std::fabs(double(a[i]) - double(b[i]));
    if (!(difference <= largest)) largest = std::isnan(difference) ? HUGE_VAL : difference;
  }
  return largest;
}

double roundoff(DType dtype) { return dtype == DType::Fp32 ? 0x1p-24 : dtype == DType::Fp16 ? 0x1p-11 : 0x1p-8; }

}  // namespace

TEST_CASE("a right result of a very small problem satisfies the rule", "[verdict]") {
  std::uint64_t alarms = 0, lucky = 0;
  double nearest[3] = {};
  for (std::uint64_t seed = first_seed(); seed < first_seed() + problem_count(); ++seed) {
    const test::SmallProblem small = test::small_problem(seed);
    const AccuracyReport report = measure_accuracy(small.inputs());
    REQUIRE_FALSE(report.quantities.empty());
    for (const QuantityError& q : report.quantities) {
      double& most = nearest[int(small.problem.numerics.dtype)];
      if (q.floor > 0) most = std::max(most, (q.error - 2 * q.plain) / q.floor);
      lucky += q.error > 2 * q.plain ? 1 : 0;
    }
    if (report.verdict == Verdict::WithinRule) continue;
    ++alarms;
    UNSCOPED_INFO("seed " << seed << ": " << small.text() << "\n  " << sentence_of(small.problem, report));
  }
  std::printf(
      "%llu small problems, seeds from %llu: %llu called wrong; %llu tensors were more than twice naive "
      "attention's distance from float64, by at most %.2f (fp32), %.2f (fp16), %.2f (bf16) of the floor\n",
      (unsigned long long)problem_count(), (unsigned long long)first_seed(), (unsigned long long)alarms,
      (unsigned long long)lucky, nearest[0], nearest[1], nearest[2]);
  CHECK(alarms == 0);
  CHECK(lucky > problem_count() / 50);  // otherwise this test shows nothing
}

// The derivation of the floor: both have the same scores, so only roundings after them can separate the two; with
// narrow scores that of S as it is stored, too.
TEST_CASE("a schedule's results differ from naive attention's by at most the floor, and not always by far less",
          "[verdict]") {
  double most = 0;
  for (std::uint64_t seed = first_seed(); seed < first_seed() + problem_count(); ++seed) {
    const test::SmallProblem small = test::small_problem(seed);
    const Measured own = measured(small.inputs());
    Problem naive = small.problem;
    naive.schedule = row_of(naive).family.naive;
    naive.tiling.splits = 1;
    naive.numerics.narrow_scores = false;  // the floor of a walk with narrow scores is from S in fp32
    naive.tiling.rescale_threshold = Tiling().rescale_threshold;
    const Measured plain = measured(small.inputs().under(naive));
    for (const QuantityError& q : own.report.quantities) {
      const double apart = largest_difference(own.results.at(q.tensor), plain.results.at(q.tensor));
      INFO("seed " << seed << ": " << small.text());
      CAPTURE(name_of(q.tensor), apart, q.floor);
      REQUIRE(apart <= q.floor);
      most = std::max(most, apart / q.floor);
    }
  }
  CHECK(most > 0.2);
}

TEST_CASE("the floor is a few roundings at the size of V, whatever the size of V", "[verdict]") {
  for (std::uint64_t seed = first_seed(); seed < first_seed() + problem_count(); ++seed) {
    const test::SmallProblem small = test::small_problem(seed);
    const Problem& p = small.problem;
    const DType dtype = p.numerics.dtype;
    if (is_backward(p.schedule) || small.values == test::SmallValues::LargeScores) continue;
    if (p.numerics.narrow_scores) continue;                                           // grows with the scores
    if (dtype == DType::Fp16 && small.values == test::SmallValues::SmallV) continue;  // subnormal numbers
    INFO("seed " << seed << ": " << small.text());
    double largest = 0;
    const Tensor v = small.inputs().whole(TensorId::V);
    for (const float x : v.values) largest = std::max(largest, std::fabs(double(x)));
    const AccuracyReport report = measure_accuracy(small.inputs());
    if (largest == 0) continue;
    CAPTURE(report.quantities[0].floor, largest);
    // fp32: 2 sqrt(2 n + 5 visits) <= 2 sqrt(7 n), of O and of the sum of P, and the weights. 16 bits: 2 + 2 halves.
    const double n = double(p.shape.n_kv) + double(p.tiling.splits);
    const double in_fp32 = (4 * std::sqrt(7 * n) + 60) * 0x1p-24;
    REQUIRE(report.quantities[0].floor <= (in_fp32 + (dtype == DType::Fp32 ? 0 : 4 * roundoff(dtype))) * largest);
  }
}

TEST_CASE("an error of a few times the floor in O, dQ, dK or dV is caught", "[verdict]") {
  int altered_tensors = 0;
  for (std::uint64_t seed = first_seed(); seed < first_seed() + problem_count() / 2; ++seed) {
    const test::SmallProblem small = test::small_problem(seed);
    test::Draw draw(seed);
    const Measured right = measured(small.inputs());
    for (const QuantityError& q : right.report.quantities) {
      const std::size_t size = right.results.at(q.tensor).size();
      const auto target = std::size_t(draw.upto(0, std::int64_t(size) - 1));
      const double by = (draw.upto(0, 1) ? 1 : -1) * (3 * q.floor + 4 * q.plain);
      std::size_t seen = 0;
      AccuracyOptions options;
      options.alter_results = [&](TensorId id, std::vector<float>& values) {
        if (id != q.tensor) return;
        if (target >= seen && target < seen + values.size()) values[target - seen] = float(values[target - seen] + by);
        seen += values.size();
      };
      const AccuracyReport report = measure_accuracy(small.inputs(), options);
      INFO("seed " << seed << ": " << small.text() << "\n  " << sentence_of(small.problem, report));
      CAPTURE(name_of(q.tensor), target, by);
      REQUIRE(report.verdict == Verdict::Diverged);
      ++altered_tensors;
    }
  }
  CHECK(altered_tensors > int(problem_count() / 2));
}

TEST_CASE("every classic mistake is caught wherever it changes a value by more than the bound", "[verdict]") {
  struct Count {
    int tried = 0, changed = 0, beyond = 0, caught = 0;
  };
  std::map<Fault, Count> counts;
  for (std::uint64_t seed = first_seed(); seed < first_seed() + problem_count(); ++seed) {
    test::SmallProblem small = test::small_problem(seed);
    const Measured right = measured(small.inputs());
    for (const Fault fault : all_faults()) {
      if (!fault_applies(fault, small.problem.schedule)) continue;
      small.problem.fault = fault;
      const Measured wrong = measured(small.inputs());
      INFO("seed " << seed << ": " << small.text() << " --fault " << name_of(fault) << "\n  "
                   << sentence_of(small.problem, wrong.report));
      Count& count = counts[fault];
      ++count.tried;
      const bool caught = wrong.report.verdict == Verdict::Diverged || wrong.report.verdict == Verdict::NotFinite;
      bool changed = false, beyond = false;
      for (const QuantityError& q : right.report.quantities) {
        const double difference = largest_difference(wrong.results.at(q.tensor), right.results.at(q.tensor));
        changed = changed || difference > 0;
        beyond = beyond || difference > q.bound + q.error;
      }
      count.changed += changed ? 1 : 0;
      count.beyond += beyond ? 1 : 0;
      count.caught += caught ? 1 : 0;
      if (beyond) REQUIRE(caught);
    }
  }
  for (const Fault fault : all_faults()) {
    const Count& c = counts[fault];
    std::printf("%-17s %6d runs, %6d with another result, %6d of them by more than the bound, %6d caught\n",
                name_of(fault), c.tried, c.changed, c.beyond, c.caught);
    CAPTURE(name_of(fault), c.tried, c.changed, c.beyond, c.caught);
    CHECK(c.beyond > 0);
    CHECK(c.caught >= c.beyond);
  }
}
