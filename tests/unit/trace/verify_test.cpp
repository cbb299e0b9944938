// The checker's own tests: a right trace passes; a trace damaged in any way fails, and the report names the first bad
// place.
#include "trace/verify.h"

#include <cmath>
#include <limits>

#include "tests/unit/trace/damaged_trace.h"
#include "trace/digests.h"

using namespace tilewalk;
using namespace tilewalk::test;

namespace {

constexpr float kInfinity = std::numeric_limits<float>::infinity();

// Moves or copies all of a visit's arrays, as if the kernel had recorded it at another visit's index.
struct VisitArrays {
  std::vector<float>* values;
  std::int64_t stride;
};
std::vector<VisitArrays> arrays_of(Trace& t) {
  const std::int64_t rows = trace_rows(t.problem), cols = trace_cols(t.problem), d = t.problem.shape.d;
  return {{&t.m, rows}, {&t.l, rows}, {&t.alpha, rows}, {&t.s, rows * cols}, {&t.p, rows * cols}, {&t.o, rows * d}};
}
void copy_visit(Trace& t, std::int64_t from, std::int64_t to) {
  for (auto [values, stride] : arrays_of(t))
    std::copy_n(values->begin() + from * stride, stride, values->begin() + to * stride);
}
void swap_visits(Trace& t, std::int64_t a, std::int64_t b) {
  for (auto [values, stride] : arrays_of(t))
    std::swap_ranges(values->begin() + a * stride, values->begin() + (a + 1) * stride, values->begin() + b * stride);
}
void clear_visit(Trace& t, std::int64_t visit) {
  for (auto [values, stride] : arrays_of(t)) std::fill_n(values->begin() + visit * stride, stride, 0.0f);
}

// Visit 4 of the picture's problem is Q tile 2 (rows 8 to 11) with KV tile 1 (columns 4 to 7).
constexpr std::int64_t kVisit = 4, kFirstRow = 8, kFirstCol = 4;

}  // namespace

TEST_CASE("a correct trace is equal, visit by visit and value by value") {
  const Problem p = problem_of(ScheduleKind::FlashV2);
  const CheckReport report = check(p, trace_of(p));
  REQUIRE(report.verdict == Verdict::Equal);
  REQUIRE(report.tile_visits == 10);
  // 10 visits of m, l, alpha (4 each), S, P, O (16 each), then O (16 x 4) and L (16).
  REQUIRE(report.values == 10 * (12 + 48) + 64 + 16);
  REQUIRE(report.differing == 0);
  REQUIRE(report.max_ulp == 0);
  REQUIRE_FALSE(report.first.has_value());
  REQUIRE(sentence_of(report) == "Equal in every bit: 680 values of 10 tile visits");
}

TEST_CASE("a flipped bit is located by step, row, column and distance, whatever the quantity") {
  const Problem p = problem_of(ScheduleKind::FlashV2);
  const Trace right = trace_of(p);
  const auto schedule = make_schedule(p);
  const std::int64_t visit_step = schedule->first_step_of_visit(0, {.q_tile = 2, .kv_tile = 1});
  struct Case {
    TracedQuantity quantity;
    std::vector<float> Trace::*array;
    std::int64_t index, row, col;
    Phase phase;
  };
  const std::vector<Case> cases = {
      {TracedQuantity::S, &Trace::s, kVisit * 16 + 6, kFirstRow + 1, kFirstCol + 2, Phase::Scores},
      {TracedQuantity::M, &Trace::m, kVisit * 4 + 3, kFirstRow + 3, -1, Phase::RowMax},
      {TracedQuantity::Alpha, &Trace::alpha, kVisit * 4 + 1, kFirstRow + 1, -1, Phase::Rescale},
      {TracedQuantity::P, &Trace::p, kVisit * 16 + 15, kFirstRow + 3, kFirstCol + 3, Phase::Exponentiate},
      {TracedQuantity::L, &Trace::l, kVisit * 4, kFirstRow, -1, Phase::RowSum},
      {TracedQuantity::O, &Trace::o, kVisit * 16 + 9, kFirstRow + 2, 1, Phase::Accumulate},
      {TracedQuantity::Output, &Trace::out, 11 * 4 + 2, 11, 2, Phase::Normalise},
      {TracedQuantity::Lse, &Trace::lse, 10, 10, -1, Phase::Normalise},
  };
  for (const Case& c : cases) {
    Trace damaged = right;
    flip_lowest_bit((damaged.*c.array)[std::size_t(c.index)]);
    const CheckReport report = check(p, damaged);
    INFO(name_of(c.quantity) << ": " << sentence_of(report));
    REQUIRE(report.verdict == Verdict::Diverged);
    REQUIRE(report.differing == 1);
    REQUIRE(report.max_ulp == 1);
    REQUIRE(report.tile_visits == 10);
    REQUIRE(report.first->quantity == c.quantity);
    REQUIRE(report.first->q_tile == 2);
    REQUIRE(report.first->kv_tile == (c.phase == Phase::Normalise ? -1 : 1));
    REQUIRE(report.first->row == c.row);
    REQUIRE(report.first->col == c.col);
    REQUIRE(report.first->ulp == 1);
    REQUIRE(report.first->phase == c.phase);
    REQUIRE(schedule->step(report.first->step).phase == c.phase);
    if (c.phase != Phase::Normalise) REQUIRE(report.first->step >= visit_step);
    if (c.phase != Phase::Normalise)
      REQUIRE(report.first->step < schedule->end_step_of_visit(0, {.q_tile = 2, .kv_tile = 1}));
    REQUIRE(*report.first->got == (damaged.*c.array)[std::size_t(c.index)]);
  }
}

TEST_CASE("in a standard trace a flipped bit is attributed to the pass that computed it") {
  const Problem p = problem_of(ScheduleKind::Standard);
  const Trace right = trace_of(p);
  const auto schedule = make_schedule(p);
  REQUIRE(check(p, right).verdict == Verdict::Equal);
  struct Case {
    std::vector<float> Trace::*array;
    std::int64_t index;
    int section;
    Phase phase;
  };
  for (const Case& c : std::vector<Case>{{&Trace::s, 5 * 16, 0, Phase::Scores},
                                         {&Trace::m, 5 * 4, 1, Phase::RowMax},
                                         {&Trace::l, 5 * 4, 1, Phase::RowSum},
                                         {&Trace::p, 5 * 16, 1, Phase::Divide},
                                         {&Trace::o, 5 * 16, 2, Phase::Accumulate},
                                         {&Trace::out, 20, 2, Phase::Store}}) {
    Trace damaged = right;
    flip_lowest_bit((damaged.*c.array)[std::size_t(c.index)]);
    const CheckReport report = check(p, damaged);
    INFO(sentence_of(report));
    REQUIRE(report.verdict == Verdict::Diverged);
    REQUIRE(report.first->q_tile == 1);
    const Step step = schedule->step(report.first->step);
    REQUIRE(step.section == c.section);
    REQUIRE(step.phase == c.phase);
    REQUIRE(step.q_tile == 1);
  }
}

TEST_CASE("a dropped visit diverges at that visit") {
  const Problem p = problem_of(ScheduleKind::FlashV2);
  Trace damaged = trace_of(p);
  clear_visit(damaged, kVisit);
  const CheckReport report = check(p, damaged);
  REQUIRE(report.verdict == Verdict::Diverged);
  REQUIRE(report.first->visit_index == kVisit);
  REQUIRE(report.first->quantity == TracedQuantity::S);
}

TEST_CASE("two swapped visits diverge at the earlier one") {
  const Problem p = problem_of(ScheduleKind::FlashV2);
  Trace damaged = trace_of(p);
  swap_visits(damaged, kVisit, kVisit + 3);
  const CheckReport report = check(p, damaged);
  REQUIRE(report.verdict == Verdict::Diverged);
  REQUIRE(report.first->visit_index == kVisit);
}

TEST_CASE("a visit recorded twice, or at another tile's index, diverges at that index") {
  const Problem p = problem_of(ScheduleKind::FlashV2);
  Trace twice = trace_of(p);
  copy_visit(twice, kVisit, kVisit + 1);
  REQUIRE(check(p, twice).first->visit_index == kVisit + 1);
  Trace wrong_tile = trace_of(p);
  copy_visit(wrong_tile, 9, 2);
  const CheckReport report = check(p, wrong_tile);
  REQUIRE(report.first->visit_index == 2);
  REQUIRE(report.first->q_tile == 1);
  REQUIRE(report.first->kv_tile == 1);
}

TEST_CASE("each visit has its own verdict") {
  const Problem p = problem_of(ScheduleKind::FlashV2);
  auto damaged = std::make_shared<Trace>(trace_of(p));
  flip_lowest_bit(damaged->l[kVisit * 4]);
  Verifier verifier(make_schedule(p), Inputs(p), damaged);
  REQUIRE(verifier.visits()[0] == VisitVerdict::Unchecked);
  while (verifier.report().tile_visits == 0) REQUIRE_FALSE(verifier.work(1));
  REQUIRE(verifier.report().verdict == Verdict::NotChecked);
  REQUIRE(verifier.visits()[0] == VisitVerdict::Equal);
  REQUIRE(verifier.visits()[1] == VisitVerdict::Unchecked);
  REQUIRE(verifier.progress() == Approx(0.1));
  while (!verifier.work(1)) {
  }
  REQUIRE(verifier.progress() == 1.0);
  for (std::int64_t visit = 0; visit < 10; ++visit)
    REQUIRE(verifier.visits()[std::size_t(visit)] == (visit == kVisit ? VisitVerdict::Differs : VisitVerdict::Equal));
}

TEST_CASE("a slice of a check compares at most the given number of visits, and all slices together the whole trace") {
  for (ScheduleKind kind : all_schedules()) {
    if (!has_kernel(kind)) continue;
    for (const std::int64_t visits : {1, 3}) {
      const Problem p = problem_of(kind);
      INFO(row_of(p).identity.id);
      const auto trace = std::make_shared<const Trace>(trace_of(p));
      Verifier verifier(make_schedule(p), Inputs(p), trace);
      std::int64_t before = 0, most = 0, slices = 0;
      for (bool whole = false; !whole; ++slices) {
        whole = verifier.work(visits);
        most = std::max(most, verifier.report().tile_visits - before);
        before = verifier.report().tile_visits;
      }
      REQUIRE(most == visits);
      REQUIRE(slices > trace->visit_count / visits);
      REQUIRE(verifier.report() == check(p, *trace));
    }
  }
}

TEST_CASE("inputs digested in slices have the same digest") {
  Problem p = problem_of(ScheduleKind::FlashV2);
  p.shape.n_q = 1100;
  p.shape.n_kv = 2100;
  const Inputs inputs(p);
  InputsDigest digest(inputs);
  for (bool whole = false; !whole;) {
    std::int64_t rows = 7;
    whole = digest.work(rows);
  }
  REQUIRE(digest.value() == digest_of_inputs(inputs));
}

TEST_CASE("NaN or an infinity in any array is not finite, with the place") {
  const Problem p = problem_of(ScheduleKind::FlashV2);
  const Trace right = trace_of(p);
  for (float bad : {std::nanf(""), kInfinity}) {
    for (auto array :
         {&Trace::m, &Trace::l, &Trace::alpha, &Trace::s, &Trace::p, &Trace::o, &Trace::out, &Trace::lse}) {
      Trace damaged = right;
      (damaged.*array)[4] = bad;
      const CheckReport report = check(p, damaged);
      INFO(sentence_of(report));
      REQUIRE(report.verdict == Verdict::NotFinite);
      REQUIRE(report.not_finite == 1);
      REQUIRE_FALSE(report.first->finite);
      REQUIRE(report.first->row >= 0);
      if (std::isnan(bad)) REQUIRE_FALSE(report.first->ulp.has_value());
    }
  }
}

TEST_CASE("-inf is right for masked scores and for rows without visible columns, and nowhere else") {
  Problem p = problem_of(ScheduleKind::FlashV2);
  p.shape.mask = {MaskKind::CausalBottomRight};
  p.shape.n_kv = 10;  // the first six rows see no column
  p.tiling.br = 8;
  const Trace right = trace_of(p);
  REQUIRE(right.m[0] == -kInfinity);
  REQUIRE(check(p, right).verdict == Verdict::Equal);
  Trace damaged = right;
  damaged.m[7] = -kInfinity;  // row 7 sees columns 0 and 1
  REQUIRE(check(p, damaged).verdict == Verdict::NotFinite);
}

TEST_CASE("a score that overflows is reported as not finite even if both sides agree") {
  for (TraceDetail detail : {TraceDetail::State, TraceDetail::Hashes}) {
    Problem p = problem_of(ScheduleKind::FlashV2);
    p.numerics.scale = 1e30;
    Inputs inputs(p, {}, {{TensorId::Q, 0, 0, 9, 0, 1e20f}, {TensorId::K, 0, 0, 2, 0, 1e20f}});
    KernelOutcome outcome = run_kernel(Runner::Cpu, inputs, detail);
    const CheckReport report = verify(make_schedule(p), inputs, std::make_shared<Trace>(*outcome.result->trace));
    INFO(sentence_of(report));
    REQUIRE(report.verdict == Verdict::NotFinite);
    REQUIRE(report.first->quantity == TracedQuantity::S);
    REQUIRE(report.differing == 0);
  }
}

TEST_CASE("a truncated, stale or foreign trace is not checked, and a sentence says why") {
  const Problem p = problem_of(ScheduleKind::FlashV2);
  const Trace right = trace_of(p);
  const std::string digest = rung_for(p.schedule).digest;
  REQUIRE(check(p, right, digest).verdict == Verdict::Equal);

  for (auto array : {&Trace::m, &Trace::l, &Trace::alpha, &Trace::s, &Trace::p, &Trace::o, &Trace::out, &Trace::lse}) {
    Trace damaged = right;
    (damaged.*array).pop_back();
    const CheckReport report = check(p, damaged);
    REQUIRE(report.verdict == Verdict::NotChecked);
    REQUIRE(report.reason.find("must have") != std::string::npos);
    REQUIRE(report.tile_visits == 0);
  }
  Trace fewer = right;
  fewer.visit_count = 9;
  REQUIRE(check(p, fewer).reason.find("must have 10") != std::string::npos);
  Trace stale = right;
  stale.provenance.kernel_digest[0] ^= 1;
  REQUIRE(check(p, stale, digest).verdict == Verdict::NotChecked);
  REQUIRE(check(p, stale, digest).reason.find("stale") != std::string::npos);
  Problem other = p;
  other.numerics.seed = 8;
  REQUIRE(check(other, right).reason.find("another problem") != std::string::npos);
  const Inputs edited(p, {}, {{TensorId::V, 0, 0, 3, 1, 0.5f}});
  const CheckReport on_edited = verify(make_schedule(p), edited, std::make_shared<Trace>(right));
  REQUIRE(on_edited.verdict == Verdict::NotChecked);
  REQUIRE(on_edited.reason.find("other values") != std::string::npos);
}

TEST_CASE("a recording is valid for the same problem on another device or with more SRAM") {
  const Problem p = problem_of(ScheduleKind::Standard);
  Problem other = p;
  other.machine.device = "a100-80";
  other.machine.sram_bytes = 60 * 1024;
  other.numerics.scale = 0.5;  // 1/sqrt(4), given explicitly
  REQUIRE(same_values(p, other));
  REQUIRE(check(other, trace_of(p)).verdict == Verdict::Equal);
}

TEST_CASE(
    "of two damaged visits the one that the schedule does first is named, though FA-1's replay goes Q tile by Q tile") {
  for (KvOrder order : {KvOrder::Forward, KvOrder::Reverse}) {
    Problem p = problem_of(ScheduleKind::FlashV1);
    p.shape.mask.kind = MaskKind::None;
    p.tiling.order = order;
    const auto schedule = make_schedule(p);
    Trace damaged = trace_of(p);
    // Q tile 0 at KV tile 2, and Q tile 3 at KV tile 1: forward, KV tile 1 comes first, in reverse KV tile 2.
    for (auto [q_tile, kv_tile] : {std::pair(0, 2), std::pair(3, 1)}) {
      flip_lowest_bit(damaged.o[std::size_t(schedule->visit_index({.q_tile = q_tile, .kv_tile = kv_tile}) * 16 + 5)]);
    }
    const CheckReport report = check(p, damaged);
    INFO(sentence_of(report));
    REQUIRE(report.differing == 2);
    REQUIRE(report.first->kv_tile == (order == KvOrder::Forward ? 1 : 2));
    REQUIRE(report.first->q_tile == (order == KvOrder::Forward ? 3 : 0));
    REQUIRE(report.first->phase == Phase::Normalise);
    REQUIRE(report.first->step ==
            schedule->first_step_of_visit(1, {.q_tile = report.first->q_tile, .kv_tile = report.first->kv_tile}) + 8);
  }
}

TEST_CASE("a damaged result is attributed to the launch that computed it") {
  for (DType dtype : {DType::Fp32, DType::Fp16}) {
    for (ScheduleKind kind : {ScheduleKind::FlashV1, ScheduleKind::FlashV4, ScheduleKind::SplitKv}) {
      Problem p = problem_of(kind);
      p.numerics.dtype = dtype;
      if (kind == ScheduleKind::SplitKv) p.tiling.splits = 3;
      const auto schedule = make_schedule(p);
      Trace damaged = trace_of(p);
      REQUIRE(check(p, damaged).verdict == Verdict::Equal);
      flip_lowest_bit(damaged.out[6 * 4 + 1]);  // row 6, in Q tile 1
      const CheckReport report = check(p, damaged);
      INFO(name_of(kind) << " " << name_of(dtype) << ": " << sentence_of(report));
      REQUIRE(report.first->quantity == TracedQuantity::Output);
      REQUIRE(report.first->row == 6);
      const Step step = schedule->step(report.first->step);
      REQUIRE(step.q_tile == 1);
      const bool rounded = kind == ScheduleKind::FlashV1 && dtype == DType::Fp16;
      REQUIRE(step.section == (rounded ? 2 : kind == ScheduleKind::FlashV4 ? 0 : 1));
      REQUIRE(step.phase == (kind == ScheduleKind::FlashV1 ? Phase::Store : Phase::Normalise));
      if (kind == ScheduleKind::FlashV1 && !rounded)
        REQUIRE(step.kv_tile == 1);  // the last KV tile that a causal Q tile 1 visits
    }
  }
}

TEST_CASE(
    "FA-4's threshold and the number of splits are part of what a trace was made of; a threshold that is not used is "
    "not") {
  Problem a = problem_of(ScheduleKind::FlashV4), b = a;
  b.tiling.rescale_threshold = 1;
  REQUIRE_FALSE(same_values(a, b));
  a.schedule = b.schedule = ScheduleKind::FlashV2;
  REQUIRE(same_values(a, b));
  a.schedule = b.schedule = ScheduleKind::SplitKv;
  b.tiling.splits = 2;
  REQUIRE_FALSE(same_values(a, b));
}
