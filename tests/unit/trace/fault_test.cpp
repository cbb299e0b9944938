// Each classic mistake, switched on in the replay and held against a right kernel, is caught at the step where it first
// matters. The table says where that is, worked out by hand from what each mistake changes.
#include <iostream>

#include "kernels/kernel_api.h"
#include "tests/support/catch.h"
#include "trace/verify.h"

using namespace tilewalk;

namespace {

// 10 rows and columns, tiles of 4: the last tiles are ragged. Causal, Q tile i visits KV tiles 0 to i. Columns past the end
// lie beyond the causal edge of every row, so reading them can matter only without a mask.
Problem problem_for(ScheduleKind kind, Fault fault) {
  Problem p;
  p.schedule = kind;
  p.n_q = p.n_kv = 10;
  p.mask.kind = fault == Fault::RaggedRead ? MaskKind::None : MaskKind::Causal;
  return p;
}

struct Caught {
  ScheduleKind schedule;
  Fault fault;
  std::int64_t q_tile, kv_tile;
  Quantity quantity;
  Phase phase;
};

// With seed 7 the first max to be raised is row 9's, in Q tile 2 at KV tile 1: only there does a forgotten or inverted
// rescale show. Row 4's second tile has a smaller max than its first, so the tile's own max is wrong there. A zero read past the end beats no row's max,
// but it joins every sum.
const std::vector<Caught> kTable = {
    {ScheduleKind::FlashV2, Fault::ForgetRescaleO, 2, 1, Quantity::O, Phase::Accumulate},
    {ScheduleKind::FlashV2, Fault::ForgetRescaleL, 2, 1, Quantity::L, Phase::RowSum},
    {ScheduleKind::FlashV2, Fault::TileMax, 1, 1, Quantity::M, Phase::RowMax},
    {ScheduleKind::FlashV2, Fault::NoMax, 0, 0, Quantity::M, Phase::RowMax},
    {ScheduleKind::FlashV2, Fault::InverseRescale, 2, 1, Quantity::O, Phase::Accumulate},
    {ScheduleKind::FlashV2, Fault::MaskOffByOne, 0, 0, Quantity::S, Phase::Mask},
    {ScheduleKind::FlashV2, Fault::SkipDiagonal, 0, 0, Quantity::M, Phase::RowMax},
    {ScheduleKind::FlashV2, Fault::RaggedRead, 0, 2, Quantity::L, Phase::RowSum},
    {ScheduleKind::Standard, Fault::NoMax, 0, -1, Quantity::M, Phase::RowMax},
    {ScheduleKind::Standard, Fault::MaskOffByOne, 0, 0, Quantity::S, Phase::Mask},
    {ScheduleKind::Standard, Fault::RaggedRead, 0, -1, Quantity::L, Phase::RowSum},
};

VerifyReport caught_by(Problem p, Fault fault, TraceDetail detail) {
  const KernelOutcome outcome = run_kernel(Runner::Cpu, Inputs(p), detail);
  REQUIRE(outcome.result.has_value());
  p.fault = fault;
  return verify(make_schedule(p), Inputs(p), std::make_shared<Trace>(*outcome.result->trace));
}

}  // namespace

TEST_CASE("every fault is caught at the step where it first matters") {
  for (const Caught& c : kTable) {
    const VerifyReport report = caught_by(problem_for(c.schedule, c.fault), c.fault, TraceDetail::State);
    INFO(name_of(c.schedule) << " " << name_of(c.fault) << ": " << sentence_of(report));
    std::cout << name_of(c.schedule) << " " << name_of(c.fault) << ": " << sentence_of(report) << "\n";
    REQUIRE(report.verdict == Verdict::Diverged);
    CHECK(report.first->q_tile == c.q_tile);
    CHECK(report.first->kv_tile == c.kv_tile);
    CHECK(report.first->quantity == c.quantity);
    CHECK(report.first->phase == c.phase);
  }
}

TEST_CASE("every fault that applies to a schedule is in the table") {
  for (ScheduleKind kind : all_schedules()) {
    for (Fault fault : all_faults()) {
      const bool listed = std::any_of(kTable.begin(), kTable.end(), [&](const Caught& c) { return c.schedule == kind && c.fault == fault; });
      INFO(name_of(kind) << " " << name_of(fault));
      REQUIRE(listed == fault_applies(fault, kind));
    }
  }
}

TEST_CASE("every fault is caught by hashes too") {
  for (const Caught& c : kTable) {
    const VerifyReport report = caught_by(problem_for(c.schedule, c.fault), c.fault, TraceDetail::Hashes);
    INFO(name_of(c.schedule) << " " << name_of(c.fault));
    REQUIRE(report.verdict != Verdict::Equal);
    REQUIRE(report.verdict != Verdict::NotChecked);
  }
}
