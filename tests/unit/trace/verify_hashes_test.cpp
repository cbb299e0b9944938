// The checker on a trace with a hash a visit: what a hash detects, and the report about a damaged one.
#include "tests/unit/trace/damaged_trace.h"
#include "trace/digests.h"

using namespace tilewalk;
using namespace tilewalk::test;

TEST_CASE("a damaged hash names the visit and counts once") {
  for (ScheduleKind kind : all_schedules()) {
    if (!has_kernel(kind)) continue;
    const Problem p = problem_of(kind);
    Trace damaged = trace_of(p, TraceDetail::Hashes);
    REQUIRE(check(p, damaged).verdict == Verdict::Equal);
    damaged.hashes[3] ^= std::uint64_t(1) << 40;
    damaged.hashes[8] += 1;
    const CheckReport report = check(p, damaged);
    REQUIRE(report.verdict == Verdict::Diverged);
    REQUIRE(report.differing == 2);
    REQUIRE(report.first->visit_index == 3);
    const bool backward = is_backward(kind);
    REQUIRE(report.first->quantity == (backward ? TracedQuantity::GradientHash : TracedQuantity::VisitHash));
    REQUIRE(report.first->phase == (backward                        ? Phase::GradK
                                    : kind == ScheduleKind::FlashV1 ? Phase::Normalise
                                                                    : Phase::Accumulate));
    REQUIRE(report.first->row == -1);
    REQUIRE(report.first->col == -1);
    REQUIRE_FALSE(report.first->got.has_value());
    REQUIRE_FALSE(report.first->ulp.has_value());
    REQUIRE_FALSE(report.max_ulp.has_value());
  }
}

TEST_CASE("hashes detect a single changed bit of m, l, alpha or o, and two exchanged values") {
  VisitState visit;
  visit.m = {1, 2};
  visit.l = {3, 4};
  visit.alpha = {0.5f, 0.25f};
  visit.o = {1, 2, 3, 4};
  const std::vector<const TracedRow*> hashed = hashed_arrays(schedule_row(ScheduleKind::FlashV2));
  const std::uint64_t right = digest_of_visit(hashed, visit);
  for (auto array : {&VisitState::m, &VisitState::l, &VisitState::alpha, &VisitState::o}) {
    VisitState damaged = visit;
    flip_lowest_bit((damaged.*array)[1]);
    REQUIRE(digest_of_visit(hashed, damaged) != right);
    damaged = visit;
    std::swap((damaged.*array)[0], (damaged.*array)[1]);
    REQUIRE(digest_of_visit(hashed, damaged) != right);
  }
}

TEST_CASE("a damaged output hash is found after the last visit of its Q tile") {
  const Problem p = problem_of(ScheduleKind::FlashV2);
  Trace damaged = trace_of(p, TraceDetail::Hashes);
  damaged.out_hashes[1] ^= 1;
  const CheckReport report = check(p, damaged);
  REQUIRE(report.first->quantity == TracedQuantity::OutputHash);
  REQUIRE(report.first->q_tile == 1);
  REQUIRE(report.first->kv_tile == -1);
}
