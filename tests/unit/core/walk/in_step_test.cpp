// In step: compared with a walk of both schedules, one step after the other.
#include "core/walk/in_step.h"

#include <algorithm>

#include "core/fields/validate.h"
#include "core/predict/compare.h"
#include "core/schedules/registry.h"
#include "tests/support/catch.h"

using namespace tilewalk;

namespace {

Problem two_heads(ScheduleKind kind) {
  Problem p;
  p.schedule = kind;
  p.shape.mask.kind = MaskKind::Causal;
  p.shape.heads = p.shape.kv_heads = 2;
  p.machine.sram_bytes = 1 << 16;
  choose_default_splits(p);
  return p;
}

std::int64_t used(const Cost& c, Pace pace) {
  const Traffic t = c.hbm_total();
  return pace == Pace::Byte ? t.read_bytes + t.write_bytes : c.matmul + c.exp + c.other;
}

}  // namespace

TEST_CASE("in step by byte and by FLOP the other has used no more, and one more step would exceed it", "[unit]") {
  for (const ScheduleKind kind : {ScheduleKind::Standard, ScheduleKind::FlashV1, ScheduleKind::SplitKv})
    for (const Pace pace : {Pace::Byte, Pace::Flop}) {
      const auto from = make_schedule(two_heads(ScheduleKind::FlashV2)), to = make_schedule(two_heads(kind));
      std::int64_t from_used = 0, to_used = 0, at = 0,
                   level = 0;  // level: at, without the following steps that cost nothing
      for (std::int64_t k = 0; k <= from->step_count(); ++k) {
        if (k > 0) from_used += used(from->cost_of(from->step(k - 1)), pace);
        while (k > 0 && at < to->step_count() && to_used + used(to->cost_of(to->step(at)), pace) <= from_used)
          if (const std::int64_t cost = used(to->cost_of(to->step(at++)), pace); cost > 0) to_used += cost, level = at;
        INFO(name_of(kind) << " by " << name_of(pace) << ", step " << k);
        const bool both_finished = k == from->step_count() && at == to->step_count();
        REQUIRE(cursor_in_step(*from, k, *to, pace) == (pace == Pace::Byte || both_finished ? at : level));
      }
    }
}

TEST_CASE("in step by tile both have begun as many visits, and both reach their ends", "[unit]") {
  for (const ScheduleKind kind : all_schedules()) {
    const auto from = make_schedule(two_heads(kind));
    INFO(name_of(kind));
    const WalkProgress whole = progress_at(*from, from->step_count());
    CHECK(whole.visits == from->visit_counts().visited());
    CHECK(whole.visits == whole.of_visits);
    CHECK(whole.bytes == whole.of_bytes);
    CHECK(whole.flops == whole.of_flops);
    const auto to = make_schedule(two_heads(ScheduleKind::FlashV2));
    for (std::int64_t k = 1; k <= from->step_count(); ++k)
      REQUIRE(progress_at(*to, cursor_in_step(*from, k, *to, Pace::Tile)).visits ==
              std::min(progress_at(*from, k).visits, to->visit_counts().visited()));  // naive attention skips no tile
    CHECK(cursor_in_step(*from, 0, *to, Pace::Tile) == 0);
  }
}

TEST_CASE("in step by tile two tile sizes have visited as many scores, to a part of a visit", "[unit]") {
  Problem small = two_heads(ScheduleKind::FlashV2);
  small.shape.mask = {};
  small.tiling.br = small.tiling.bc = 4;
  Problem large = small;
  large.tiling.bc = 8;
  const auto from = make_schedule(small), to = make_schedule(large);
  for (std::int64_t k = 1; k <= from->step_count(); ++k) {
    const std::int64_t visits = progress_at(*from, k).visits;
    REQUIRE(progress_at(*to, cursor_in_step(*from, k, *to, Pace::Tile)).visits == (visits + 1) / 2);
  }
  for (std::int64_t k = 1; k <= to->step_count(); ++k)
    REQUIRE(progress_at(*from, cursor_in_step(*to, k, *from, Pace::Tile)).visits == 2 * progress_at(*to, k).visits);
}

TEST_CASE("in step by tile two schedules of one order are in the same Q tile, also at its end", "[unit]") {
  const auto now = make_schedule(two_heads(ScheduleKind::FlashV2)),
             other = make_schedule(two_heads(ScheduleKind::FlashV3));
  for (std::int64_t k = 5; k <= now->step_count(); ++k) {
    const Step a = now->step(k - 1);
    const std::int64_t at = cursor_in_step(*now, k, *other, Pace::Tile);
    if (a.visit < 0 && a.phase == Phase::LoadQ) continue;  // before its first visit
    const Step b = other->step(at - 1);
    INFO("step " << k);
    REQUIRE(b.q_tile == a.q_tile);
    REQUIRE(b.head == a.head);
    REQUIRE((a.visit < 0 || b.kv_tile == a.kv_tile));
  }
  CHECK(cursor_in_step(*now, now->step_count(), *other, Pace::Tile) == other->step_count());
}

TEST_CASE("the cursor in step is found at once in a walk of millions of tiles", "[unit]") {
  Problem p = two_heads(ScheduleKind::FlashV2);
  p.shape.n_q = p.shape.n_kv = 1 << 20;
  p.shape.d = p.tiling.br = p.tiling.bc = 64;
  p.machine.sram_bytes = 232448;
  const auto now = make_schedule(p), other = make_schedule(under_schedule(p, ScheduleKind::FlashV1));
  const std::int64_t k = now->step_count() / 3;
  for (const Pace pace : {Pace::Tile, Pace::Flop, Pace::Byte}) {
    const std::int64_t at = cursor_in_step(*now, k, *other, pace);
    CHECK(at > 0);
    CHECK(at < other->step_count());
  }
}
