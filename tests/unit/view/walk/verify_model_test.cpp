#include "view/walk/verify_model.h"

#include <set>

#include "core/schedules/registry.h"
#include "tests/unit/view/view_fixture.h"

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
  CHECK(brief == std::set<std::string>{"checked live · 0 ULP", "equals recording · 0 ULP", "not GPU-checked",
                                       "diverged at step 29, row 11"});
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

TEST_CASE("the badge counts the visits that the walk has completed, and claims nothing before the first") {
  for (const ScheduleKind kind : all_schedules()) {
    INFO(name_of(kind));
    Problem p = test::picture(kind);
    p.machine.sram_bytes = 1 << 16;
    test::Walk walk(p);
    const std::int64_t of = walk.schedule->visit_counts().visited();
    std::int64_t last = 0;
    for (std::int64_t k = 0; k <= walk.schedule->step_count(); ++k) {
      const CompletedVisits v = completed_visits(*walk.schedule, walk.at(k));
      REQUIRE(v.of == of);
      REQUIRE(v.done >= last);
      REQUIRE(v.done <= last + 1);
      last = v.done;
      for (const CheckAgainst against : {CheckAgainst::LiveGpu, CheckAgainst::Recording}) {
        const VerifyModel m = build_verify_model(report(Verdict::Equal, against), v);
        const std::int64_t counted = v.done + v.in_pass;
        REQUIRE(m.good == (counted > 0));
        REQUIRE((m.kind == BadgeKind::NotChecked) == (counted == 0));
        REQUIRE(m.short_text.starts_with(std::to_string(counted) + " of " + std::to_string(of) +
                                         (v.in_pass > 0 ? " tiles of pass " : " visits")));
      }
    }
    CHECK(last == of);
  }
}

TEST_CASE("before the last pass the badge counts the tiles of the pass that makes them") {
  test::Walk walk(test::picture(ScheduleKind::Standard));
  const CheckReport equal = report(Verdict::Equal, CheckAgainst::Recording);
  const auto at = [&](std::int64_t k) {
    return build_verify_model(equal, completed_visits(*walk.schedule, walk.at(k)));
  };
  CHECK(at(0).short_text == "0 of 16 visits: nothing to compare yet");
  CHECK(at(60).short_text == "14 of 16 tiles of pass 1: each value equals the recorded GPU's, bit for bit");
  CHECK(at(60).good);
  CHECK(at(60).word == "14 of 16");
  CHECK(at(60).brief == "pass 1: 14 of 16 tiles");
  CHECK(at(80).short_text.starts_with("16 of 16 tiles of pass 1: "));
  const std::int64_t first = walk.schedule->end_step_of_visit(2, {.q_tile = 0, .kv_tile = 0});
  CHECK(at(first).short_text.starts_with("1 of 16 visits: "));
}

TEST_CASE("a visit counts once its last phase is over, also between the visits of two Q tiles") {
  test::Walk walk(test::picture());
  const auto done_at = [&](std::int64_t k) { return completed_visits(*walk.schedule, walk.at(k)).done; };
  const std::int64_t end = walk.schedule->end_step_of_visit(0, {.q_tile = 1, .kv_tile = 1});
  CHECK(done_at(end - 1) == 2);
  CHECK(done_at(end) == 3);
  CHECK(done_at(end + 1) == 3);
}

TEST_CASE("the badge names the visits on the way, and the recording at the end") {
  const CheckReport equal = report(Verdict::Equal, CheckAgainst::Recording);
  const auto at = [&](std::int64_t done, std::int64_t of) {
    return build_verify_model(equal, CompletedVisits{done, of});
  };
  CHECK(at(0, 10).text == "0 of 10 visits are checked");
  CHECK(at(0, 10).short_text == "0 of 10 visits: nothing to compare yet");
  CHECK(at(4, 10).text == "4 of 10 visits equal H200, 2026-11-21 · 0 ULP");
  CHECK(at(4, 10).brief == "4 of 10 visits · bits equal");
  CHECK(at(4, 10).word == "4 of 10");
  CHECK(at(10, 10).text == build_verify_model(equal).text);
  CHECK(at(10, 10).short_text == "10 of 10 visits: each value equals the recorded GPU's, bit for bit");
  CHECK(at(3, 4000).brief == "<1 % of visits · bits equal");
  CHECK(at(3999, 4000).brief == "99 % of visits · bits equal");
  const CheckReport diverged = report(Verdict::Diverged, CheckAgainst::Recording);
  CHECK(build_verify_model(diverged, CompletedVisits{0, 10}).text == "diverged");
}

TEST_CASE("a difference is in red only once the walk has come to it") {
  CheckReport r = report(Verdict::Diverged, CheckAgainst::Recording);
  r.first = Divergence{};
  r.first->step = 46;
  CompletedVisits v{4, 10};
  v.cursor = 46;
  const VerifyModel before = build_verify_model(r, v);
  CHECK(before.kind == BadgeKind::NotChecked);
  CHECK_FALSE(before.good);
  CHECK(before.text == "4 of 10 visits are equal, step 47 differs");
  CHECK(before.goes_to.has_value());
  const VerifyModel wrong = build_verify_model(r, v, true);
  CHECK(wrong.kind == BadgeKind::Diverged);  // in red from the step that is wrong
  CHECK(wrong.text == "already wrong; the check sees it at step 47");
  CHECK(wrong.short_text == "4 of 10 visits: already wrong; the check sees it at step 47");
  v.cursor = 47;
  CHECK(build_verify_model(r, v, true).kind == BadgeKind::Diverged);
  CHECK(build_verify_model(r, v).kind == BadgeKind::Diverged);
  CHECK(build_verify_model(r).kind == BadgeKind::Diverged);
}
