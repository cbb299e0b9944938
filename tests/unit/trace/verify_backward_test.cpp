// The checker on traces of the backward passes: one flipped bit, whatever the quantity, is attributed to the step that
// computed it.
#include "tests/unit/trace/damaged_trace.h"

using namespace tilewalk;
using namespace tilewalk::test;

namespace {

// One flipped bit of a backward trace, and where the check must find it.
struct FlippedBit {
  TracedQuantity quantity;
  std::vector<float> Trace::*array;
  std::int64_t index, q_tile, kv_tile, row, col;
  Phase phase;
};

void require_flipped_bits_named(const Problem& p, const std::vector<FlippedBit>& cases) {
  const Trace right = trace_of(p);
  const auto schedule = make_schedule(p);
  REQUIRE(check(p, right).verdict == Verdict::Equal);
  for (const FlippedBit& c : cases) {
    Trace damaged = right;
    flip_lowest_bit((damaged.*c.array)[std::size_t(c.index)]);
    const CheckReport report = check(p, damaged);
    INFO(name_of(p.schedule) << " " << name_of(c.quantity) << ": " << sentence_of(report));
    REQUIRE(report.verdict == Verdict::Diverged);
    REQUIRE(report.differing == 1);
    REQUIRE(report.first->quantity == c.quantity);
    REQUIRE(report.first->q_tile == c.q_tile);
    REQUIRE(report.first->kv_tile == c.kv_tile);
    REQUIRE(report.first->row == c.row);
    REQUIRE(report.first->col == c.col);
    REQUIRE(schedule->step(report.first->step).phase == c.phase);
    damaged = right;
    (damaged.*c.array).pop_back();
    REQUIRE(check(p, damaged).verdict == Verdict::NotChecked);
  }
}

}  // namespace

TEST_CASE("in a trace of backward or backward_v1 a flipped bit is located by step, row and column") {
  for (const ScheduleKind kind : {ScheduleKind::Backward, ScheduleKind::BackwardV1}) {
    const Problem p = problem_of(kind);
    REQUIRE(check(p, trace_of(p)).values == 10 * 7 * 16 + 3 * 64);
    const Phase weight = kind == ScheduleKind::BackwardV1 ? Phase::Divide : Phase::Exponentiate;
    // Four Q tiles visit KV tile 0, so visit 4 is KV tile 1 (columns 4 to 7) with Q tile 1 (rows 4 to 7).
    require_flipped_bits_named(p, {{TracedQuantity::S, &Trace::s, 4 * 16 + 5, 1, 1, 5, 5, Phase::Scores},
                                   {TracedQuantity::P, &Trace::p, 4 * 16 + 4, 1, 1, 5, 4, weight},
                                   {TracedQuantity::DV, &Trace::dv, 4 * 16 + 11, 1, 1, 6, 3, Phase::GradV},
                                   {TracedQuantity::DP, &Trace::dp, 4 * 16 + 15, 1, 1, 7, 7, Phase::GradP},
                                   {TracedQuantity::DS, &Trace::ds, 4 * 16 + 15, 1, 1, 7, 7, Phase::GradS},
                                   {TracedQuantity::DQ, &Trace::dq, 4 * 16 + 1, 1, 1, 4, 1, Phase::GradQ},
                                   {TracedQuantity::DK, &Trace::dk, 4 * 16 + 2, 1, 1, 4, 2, Phase::GradK},
                                   {TracedQuantity::FinalDQ, &Trace::out_dq, 9 * 4 + 3, 2, -1, 9, 3, Phase::ScaleDQ},
                                   {TracedQuantity::FinalDK, &Trace::out_dk, 13 * 4, -1, 3, 13, 0, Phase::StoreDKV},
                                   {TracedQuantity::FinalDV, &Trace::out_dv, 2 * 4 + 1, -1, 0, 2, 1, Phase::StoreDKV}});
  }
}

TEST_CASE("in a trace of backward_standard a flipped bit is attributed to the launch that computed it") {
  const Problem p = problem_of(ScheduleKind::BackwardStandard);
  REQUIRE(check(p, trace_of(p)).values == 16 * 6 * 16 + 3 * 64);
  REQUIRE(trace_of(p).s.empty());
  // Every tile is visited, so visit 5 is KV tile 1 with Q tile 1. dS is computed row by row, outside the visits.
  require_flipped_bits_named(p, {{TracedQuantity::P, &Trace::p, 5 * 16 + 4, 1, 1, 5, 4, Phase::LoadPDO},
                                 {TracedQuantity::DV, &Trace::dv, 5 * 16 + 11, 1, 1, 6, 3, Phase::GradV},
                                 {TracedQuantity::DP, &Trace::dp, 5 * 16 + 15, 1, 1, 7, 7, Phase::GradP},
                                 {TracedQuantity::DS, &Trace::ds, 5 * 16 + 15, 1, 1, 7, 7, Phase::GradS},
                                 {TracedQuantity::DQ, &Trace::dq, 5 * 16 + 1, 1, 1, 4, 1, Phase::GradQ},
                                 {TracedQuantity::DK, &Trace::dk, 5 * 16 + 2, 1, 1, 4, 2, Phase::GradK},
                                 {TracedQuantity::FinalDQ, &Trace::out_dq, 9 * 4 + 3, 2, -1, 9, 3, Phase::StoreDQ},
                                 {TracedQuantity::FinalDK, &Trace::out_dk, 13 * 4, -1, 3, 13, 0, Phase::StoreDK},
                                 {TracedQuantity::FinalDV, &Trace::out_dv, 2 * 4 + 1, -1, 0, 2, 1, Phase::StoreDV}});
}

TEST_CASE("a damaged gradient hash is found where the gradient is stored") {
  for (const ScheduleKind kind : {ScheduleKind::Backward, ScheduleKind::BackwardV1, ScheduleKind::BackwardStandard}) {
    const Problem p = problem_of(kind);
    Trace damaged = trace_of(p, TraceDetail::Hashes);
    damaged.kv_hashes[2] ^= 1;
    REQUIRE(check(p, damaged).first->quantity == TracedQuantity::KvGradientHash);
    REQUIRE(check(p, damaged).first->kv_tile == 2);
    damaged.kv_hashes[2] ^= 1;
    damaged.out_hashes[3] ^= 1;
    REQUIRE(check(p, damaged).first->quantity == TracedQuantity::QGradientHash);
    REQUIRE(check(p, damaged).first->q_tile == 3);
  }
}
