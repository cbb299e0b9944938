// Each classic mistake, applied in the replay and compared with a right kernel, is caught at the step where it first
// matters. The table has that step, derived by hand from what each mistake changes.
#include <iostream>

#include "core/schedules/registry.h"
#include "kernels/host/kernel_api.h"
#include "tests/support/catch.h"
#include "trace/verify.h"

using namespace tilewalk;

namespace {

// 10 rows and columns, tiles of 4: the last tiles are ragged. Causal, Q tile i visits KV tiles 0 to i. Columns past the
// end are beyond the causal edge of every row, so reading them can matter only without a mask.
Problem problem_for(ScheduleKind kind, Fault fault) {
  Problem p;
  p.schedule = kind;
  p.shape.n_q = p.shape.n_kv = 10;
  p.shape.mask.kind = fault == Fault::RaggedRead ? MaskKind::None : MaskKind::Causal;
  if (kind == ScheduleKind::FlashV4) p.tiling.rescale_threshold = 0.25;
  if (kind == ScheduleKind::SplitKv) p.tiling.splits = 2;
  return p;
}

struct Caught {
  ScheduleKind schedule;
  Fault fault;
  std::int64_t q_tile, kv_tile;
  TracedQuantity quantity;
  Phase phase;
};

// With seed 7 the first max to be raised is row 9's, in Q tile 2 at KV tile 1: only there does a missing or inverted
// rescale show. Row 4's second tile has a smaller max than its first, so the tile's own max is wrong there. A zero read
// past the end exceeds no row's max, but it is added to every sum.
const std::vector<Caught> kTable = {
    {ScheduleKind::FlashV2, Fault::ForgetRescaleO, 2, 1, TracedQuantity::O, Phase::Accumulate},
    {ScheduleKind::FlashV2, Fault::ForgetRescaleL, 2, 1, TracedQuantity::L, Phase::RowSum},
    {ScheduleKind::FlashV2, Fault::TileMax, 1, 1, TracedQuantity::M, Phase::RowMax},
    {ScheduleKind::FlashV2, Fault::NoMax, 0, 0, TracedQuantity::M, Phase::RowMax},
    {ScheduleKind::FlashV2, Fault::InverseRescale, 2, 1, TracedQuantity::O, Phase::Accumulate},
    {ScheduleKind::FlashV2, Fault::MaskOffByOne, 0, 0, TracedQuantity::S, Phase::Mask},
    {ScheduleKind::FlashV2, Fault::SkipDiagonal, 0, 0, TracedQuantity::M, Phase::RowMax},
    {ScheduleKind::FlashV2, Fault::RaggedRead, 0, 2, TracedQuantity::L, Phase::RowSum},
    // FA-1 computes P relative to the tile's own max, so a wrong max shows in P already; m, l and alpha are computed at
    // the rescale and O at the division. Its KV tiles are outside: Q tiles 0 and 1 visit KV tile 0, and Q tile 2 KV
    // tile 1, before Q tile 2 visits KV tile 2.
    {ScheduleKind::FlashV1, Fault::ForgetRescaleO, 2, 1, TracedQuantity::O, Phase::Normalise},
    {ScheduleKind::FlashV1, Fault::ForgetRescaleL, 2, 1, TracedQuantity::L, Phase::Rescale},
    {ScheduleKind::FlashV1, Fault::TileMax, 1, 1, TracedQuantity::M, Phase::Rescale},
    {ScheduleKind::FlashV1, Fault::NoMax, 0, 0, TracedQuantity::P, Phase::Exponentiate},
    {ScheduleKind::FlashV1, Fault::InverseRescale, 2, 1, TracedQuantity::O, Phase::Normalise},
    {ScheduleKind::FlashV1, Fault::MaskOffByOne, 0, 0, TracedQuantity::S, Phase::Mask},
    {ScheduleKind::FlashV1, Fault::SkipDiagonal, 0, 0, TracedQuantity::P, Phase::Exponentiate},
    {ScheduleKind::FlashV1, Fault::RaggedRead, 0, 2, TracedQuantity::P, Phase::Exponentiate},
    // Row 9's max grows by 0.6 in log2 units there, more than a threshold of 0.25.
    {ScheduleKind::FlashV4, Fault::ForgetRescaleO, 2, 1, TracedQuantity::O, Phase::Accumulate},
    {ScheduleKind::FlashV4, Fault::ForgetRescaleL, 2, 1, TracedQuantity::L, Phase::RowSum},
    {ScheduleKind::FlashV4, Fault::TileMax, 1, 1, TracedQuantity::M, Phase::RowMax},
    {ScheduleKind::FlashV4, Fault::NoMax, 0, 0, TracedQuantity::M, Phase::RowMax},
    {ScheduleKind::FlashV4, Fault::InverseRescale, 2, 1, TracedQuantity::O, Phase::Accumulate},
    {ScheduleKind::FlashV4, Fault::MaskOffByOne, 0, 0, TracedQuantity::S, Phase::Mask},
    {ScheduleKind::FlashV4, Fault::SkipDiagonal, 0, 0, TracedQuantity::M, Phase::RowMax},
    {ScheduleKind::FlashV4, Fault::RaggedRead, 0, 2, TracedQuantity::L, Phase::RowSum},
    // Two splits: KV tiles 0 and 1, and KV tile 2. The second starts afresh, so there a zero past the end does exceed a
    // max.
    {ScheduleKind::SplitKv, Fault::ForgetRescaleO, 2, 1, TracedQuantity::O, Phase::Accumulate},
    {ScheduleKind::SplitKv, Fault::ForgetRescaleL, 2, 1, TracedQuantity::L, Phase::RowSum},
    {ScheduleKind::SplitKv, Fault::TileMax, 1, 1, TracedQuantity::M, Phase::RowMax},
    {ScheduleKind::SplitKv, Fault::NoMax, 0, 0, TracedQuantity::M, Phase::RowMax},
    {ScheduleKind::SplitKv, Fault::InverseRescale, 2, 1, TracedQuantity::O, Phase::Accumulate},
    {ScheduleKind::SplitKv, Fault::MaskOffByOne, 0, 0, TracedQuantity::S, Phase::Mask},
    {ScheduleKind::SplitKv, Fault::SkipDiagonal, 0, 0, TracedQuantity::M, Phase::RowMax},
    {ScheduleKind::SplitKv, Fault::RaggedRead, 0, 2, TracedQuantity::M, Phase::RowMax},
    // The same numbers, computed by other warps.
    {ScheduleKind::FlashV3, Fault::ForgetRescaleO, 2, 1, TracedQuantity::O, Phase::Accumulate},
    {ScheduleKind::FlashV3, Fault::ForgetRescaleL, 2, 1, TracedQuantity::L, Phase::RowSum},
    {ScheduleKind::FlashV3, Fault::TileMax, 1, 1, TracedQuantity::M, Phase::RowMax},
    {ScheduleKind::FlashV3, Fault::NoMax, 0, 0, TracedQuantity::M, Phase::RowMax},
    {ScheduleKind::FlashV3, Fault::InverseRescale, 2, 1, TracedQuantity::O, Phase::Accumulate},
    {ScheduleKind::FlashV3, Fault::MaskOffByOne, 0, 0, TracedQuantity::S, Phase::Mask},
    {ScheduleKind::FlashV3, Fault::SkipDiagonal, 0, 0, TracedQuantity::M, Phase::RowMax},
    {ScheduleKind::FlashV3, Fault::RaggedRead, 0, 2, TracedQuantity::L, Phase::RowSum},
    // A skipped visit has P = 0 where the kernel has weights.
    {ScheduleKind::Backward, Fault::MaskOffByOne, 0, 0, TracedQuantity::S, Phase::Mask},
    {ScheduleKind::Backward, Fault::SkipDiagonal, 0, 0, TracedQuantity::P, Phase::Exponentiate},
    {ScheduleKind::BackwardV1, Fault::MaskOffByOne, 0, 0, TracedQuantity::S, Phase::Mask},
    {ScheduleKind::BackwardV1, Fault::SkipDiagonal, 0, 0, TracedQuantity::P, Phase::Divide},
    {ScheduleKind::Standard, Fault::NoMax, 0, -1, TracedQuantity::M, Phase::RowMax},
    {ScheduleKind::Standard, Fault::MaskOffByOne, 0, 0, TracedQuantity::S, Phase::Mask},
    {ScheduleKind::Standard, Fault::RaggedRead, 0, -1, TracedQuantity::L, Phase::RowSum},
};

CheckReport caught_by(Problem p, Fault fault, TraceDetail detail) {
  const KernelOutcome outcome = run_kernel(Runner::Cpu, Inputs(p), detail);
  REQUIRE(outcome.result.has_value());
  p.fault = fault;
  return verify(make_schedule(p), Inputs(p), std::make_shared<Trace>(*outcome.result->trace));
}

}  // namespace

TEST_CASE("every fault is caught at the step where it first matters") {
  for (const Caught& c : kTable) {
    const CheckReport report = caught_by(problem_for(c.schedule, c.fault), c.fault, TraceDetail::State);
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
    if (!has_kernel(kind)) continue;
    for (Fault fault : all_faults()) {
      const bool listed = std::any_of(kTable.begin(), kTable.end(),
                                      [&](const Caught& c) { return c.schedule == kind && c.fault == fault; });
      INFO(name_of(kind) << " " << name_of(fault));
      REQUIRE(listed == fault_applies(fault, kind));
    }
  }
}

TEST_CASE("every fault is caught by hashes too") {
  for (const Caught& c : kTable) {
    const CheckReport report = caught_by(problem_for(c.schedule, c.fault), c.fault, TraceDetail::Hashes);
    INFO(name_of(c.schedule) << " " << name_of(c.fault));
    REQUIRE(report.verdict != Verdict::Equal);
    REQUIRE(report.verdict != Verdict::NotChecked);
  }
}
