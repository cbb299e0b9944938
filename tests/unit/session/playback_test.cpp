#include "session/document/playback.h"

#include <algorithm>
#include <memory>
#include <vector>

#include "core/fields/validate.h"
#include "core/schedules/registry.h"
#include "tests/support/catch.h"

using namespace tilewalk;

namespace {

Problem small_problem(ScheduleKind kind, MaskKind mask) {
  Problem p;
  p.schedule = kind;
  p.shape.n_q = 10;
  p.shape.n_kv = 9;
  p.shape.heads = p.shape.kv_heads = 2;
  p.shape.mask.kind = mask;
  p.machine.sram_bytes = 1 << 16;
  return p;
}

std::vector<std::int64_t> forward_stops(const Schedule& s, StepUnit unit) {
  std::vector<std::int64_t> stops = {0};
  while (stops.back() < s.step_count()) stops.push_back(next_stop(s, unit, stops.back()));
  return stops;
}

}  // namespace

TEST_CASE("going back visits the same stops as going forward") {
  for (const ScheduleKind kind : all_schedules())
    for (const MaskKind mask : {MaskKind::None, MaskKind::Causal, MaskKind::CausalBottomRight}) {
      const auto schedule = make_schedule(small_problem(kind, mask));
      for (const StepUnit unit : {StepUnit::Phase, StepUnit::Tile, StepUnit::QTile}) {
        const auto forward = forward_stops(*schedule, unit);
        std::vector<std::int64_t> back = {schedule->step_count()};
        while (back.back() > 0) {
          back.push_back(previous_stop(*schedule, unit, back.back()));
          REQUIRE(back.size() <= forward.size());
        }
        REQUIRE(std::vector<std::int64_t>(back.rbegin(), back.rend()) == forward);
      }
    }
}

TEST_CASE("a tile stop is the end of a visit or of a Q tile, from any cursor") {
  const auto schedule = make_schedule(small_problem(ScheduleKind::FlashV2, MaskKind::Causal));
  const auto stops = forward_stops(*schedule, StepUnit::Tile);
  for (std::int64_t k = 0; k < schedule->step_count(); ++k) {
    const auto next = std::upper_bound(stops.begin(), stops.end(), k);
    REQUIRE(next_stop(*schedule, StepUnit::Tile, k) == *next);
    const auto at = std::lower_bound(stops.begin(), stops.end(), k);
    REQUIRE(previous_stop(*schedule, StepUnit::Tile, k) == (k == 0 ? 0 : *(at - 1)));
  }
}

TEST_CASE("moves become due with the given time, and none is lost between ticks") {
  Playback playback;
  playback.playing = true;
  CHECK(due_moves(playback, 100.0, 4) == 0);
  std::int64_t moves = 0;
  for (int i = 1; i <= 300; ++i) moves += due_moves(playback, 100.0 + i / 60.0, 4);
  CHECK(moves == 20);
}

TEST_CASE("a window that slept makes up for at most one second of moves") {
  Playback playback;
  playback.playing = true;
  due_moves(playback, 0, 8);
  CHECK(due_moves(playback, 3600, 8) == 8);
}

TEST_CASE("a move longer than a second happens when it is due, and only once") {
  Playback playback;
  playback.playing = true;
  due_moves(playback, 0, 0.2);
  CHECK(due_moves(playback, 4.9, 0.2) == 0);
  CHECK(due_moves(playback, 5, 0.2) == 1);
  CHECK(due_moves(playback, 3600, 0.2) == 1);
}

TEST_CASE("time that runs backwards makes no moves") {
  Playback playback;
  playback.playing = true;
  due_moves(playback, 50, 8);
  CHECK(due_moves(playback, 10, 8) == 0);
}

TEST_CASE("the next move is due after the inverse of the speed") {
  Playback playback;
  CHECK(seconds_to_next_move(playback, 0, 2) == 0);
  playback.playing = true;
  due_moves(playback, 10, 2);
  CHECK(seconds_to_next_move(playback, 10, 2) == Approx(0.5));
  CHECK(seconds_to_next_move(playback, 10.4, 2) == Approx(0.1));
}

TEST_CASE("in every schedule the stops lead from the start to the end and back") {
  for (const ScheduleKind kind : all_schedules())
    for (const StepUnit unit : {StepUnit::Phase, StepUnit::Tile, StepUnit::QTile}) {
      CAPTURE(name_of(kind), int(unit));
      Problem p;
      p.schedule = kind;
      p.shape.mask.kind = MaskKind::Causal;
      p.shape.heads = 2;
      p.shape.n_kv = 24;
      p.tiling.splits = kind == ScheduleKind::SplitKv ? 3 : 1;
      REQUIRE(validate(p).empty());
      const auto schedule = make_schedule(p);
      std::int64_t cursor = 0;
      while (cursor < schedule->step_count()) {
        const std::int64_t next = next_stop(*schedule, unit, cursor);
        REQUIRE(next > cursor);
        cursor = next;
      }
      CHECK(cursor == schedule->step_count());
      while (cursor > 0) {
        const std::int64_t before = previous_stop(*schedule, unit, cursor);
        REQUIRE(before < cursor);
        cursor = before;
      }
      CHECK(cursor == 0);
    }
}
