#include "view/walk/verify_model.h"

#include <set>

#include "tests/support/catch.h"

using namespace tilewalk;

namespace {

CheckReport report(Verdict verdict, CheckAgainst against) {
  CheckReport r;
  r.verdict = verdict;
  r.against = against;
  r.provenance.gpu = "NVIDIA H200";
  r.provenance.date = "2026-11-21";
  return r;
}

}  // namespace

TEST_CASE("the four claims differ in words and in kind") {
  CheckReport diverged = report(Verdict::Diverged, CheckAgainst::Recording);
  diverged.first = Divergence{};
  diverged.first->step = 28;
  diverged.first->row = 11;
  const CheckReport all[] = {
      report(Verdict::Equal, CheckAgainst::LiveGpu), report(Verdict::Equal, CheckAgainst::Recording), {}, diverged};
  std::set<std::string> texts, brief;
  std::set<BadgeKind> kinds;
  for (const CheckReport& r : all) {
    const VerifyModel m = build_verify_model(r);
    texts.insert(m.text);
    brief.insert(m.brief);
    kinds.insert(m.kind);
  }
  CHECK(texts == std::set<std::string>{"checked live on H200 · 0 ULP", "equals recording from H200, 2026-11-21 · 0 ULP",
                                       "not GPU-checked", "diverged at step 29, row 11"});
  CHECK(brief ==
        std::set<std::string>{"checked live · 0 ULP", "equals recording · 0 ULP", "not GPU-checked", "diverged"});
  CHECK(kinds.size() == 4);
}

TEST_CASE("no verdict is good without a comparison") {
  for (const Verdict verdict : {Verdict::NotChecked, Verdict::Running, Verdict::Diverged, Verdict::NotFinite})
    for (const CheckAgainst against : {CheckAgainst::Nothing, CheckAgainst::LiveGpu, CheckAgainst::Recording}) {
      CHECK_FALSE(build_verify_model(report(verdict, against)).good);
      CHECK(check_of_visit(report(verdict, against), 0) == VisitCheck::Unknown);
    }
}

TEST_CASE("a divergence known only by its digest has no row to name") {
  CheckReport r = report(Verdict::Diverged, CheckAgainst::Recording);
  r.first = Divergence{};
  r.first->step = 9;
  CHECK(build_verify_model(r).text == "diverged at step 10");
}

TEST_CASE("a value that is not finite is reported as such, not as a difference: both sides may have it") {
  CheckReport r = report(Verdict::NotFinite, CheckAgainst::Recording);
  r.first = Divergence{};
  r.first->quantity = TracedQuantity::S;
  CHECK(build_verify_model(r).detail.starts_with("First value that is not finite: S in Q tile 0"));
  r.verdict = Verdict::Diverged;
  CHECK(build_verify_model(r).detail.starts_with("First difference: S in Q tile 0"));
}
