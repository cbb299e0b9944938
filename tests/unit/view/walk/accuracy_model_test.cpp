#include "view/walk/accuracy_model.h"

#include <limits>

#include "tests/support/catch.h"

using namespace tilewalk;

namespace {

AccuracyReport report_of(double error, double plain, Verdict verdict) {
  AccuracyReport r;
  r.verdict = verdict;
  r.quantities = {{TensorId::O, error, plain, 0, 2 * plain, 16, 16}};
  return r;
}

}  // namespace

TEST_CASE("only a satisfied rule is marked as satisfied") {
  const Problem p;
  CHECK(build_accuracy_model(p, std::nullopt).mark == AccuracyMark::None);
  AccuracyReport stopped;
  stopped.reason = "The comparison with float64 was stopped.";
  CHECK(build_accuracy_model(p, stopped).mark == AccuracyMark::None);
  CHECK(build_accuracy_model(p, stopped).text == stopped.reason);
  CHECK(build_accuracy_model(p, stopped).figure.empty());
  const AccuracyModel kept = build_accuracy_model(p, report_of(1.2e-7, 2.3e-7, Verdict::WithinRule));
  CHECK(kept.mark == AccuracyMark::Kept);
  CHECK(kept.text ==
        "O is at most 1.2e−07 from float64. Naive attention in fp32: 2.3e−07; at most twice that is allowed · all 16 "
        "rows "
        "compared");
  CHECK(kept.detail.find("allowed 4.6e−07") != std::string::npos);
  CHECK(build_accuracy_model(p, report_of(1, 1e-7, Verdict::Diverged)).mark == AccuracyMark::Broken);
  const double nan = std::numeric_limits<double>::quiet_NaN();
  const AccuracyModel not_finite = build_accuracy_model(p, report_of(nan, 1e-7, Verdict::NotFinite));
  CHECK(not_finite.mark == AccuracyMark::Broken);
  CHECK(not_finite.figure == "not a number");
}

TEST_CASE("nothing is marked as near float64 before the walk has computed it") {
  const Problem p;
  const AccuracyReport kept = report_of(1.2e-7, 2.3e-7, Verdict::WithinRule);
  const AccuracyModel early = build_accuracy_model(p, kept, false);
  CHECK(early.mark == AccuracyMark::None);
  CHECK(early.text == "compared with float64 at the end of the walk");
  CHECK(build_accuracy_model(p, report_of(1, 1e-7, Verdict::Diverged), false).mark == AccuracyMark::None);
  CHECK(build_accuracy_model(p, kept, true).mark == AccuracyMark::Kept);
}

TEST_CASE("of several tensors the line names the one nearest to the bound, and says if rows were sampled") {
  Problem p;
  p.numerics.dtype = DType::Bf16;
  AccuracyReport r;
  r.verdict = Verdict::WithinRule;
  r.quantities = {{TensorId::dQ, 4, 10, 0, 20, 64, 5120},
                  {TensorId::dK, 5, 3, 0, 6, 64, 5120},
                  {TensorId::dV, 9, 10, 0, 20, 64, 5120}};
  const AccuracyModel m = build_accuracy_model(p, r);
  CHECK(m.text.starts_with("dK is at most 5.0e+00"));
  CHECK(m.text.find("64 of 5,120 rows") != std::string::npos);
  CHECK(m.text.find("bf16") != std::string::npos);
  r.quantities = {{TensorId::O, 4, 10, 0, 20, 1, 1}};
  CHECK(build_accuracy_model(p, r).text.ends_with(" · its one row compared"));
}
