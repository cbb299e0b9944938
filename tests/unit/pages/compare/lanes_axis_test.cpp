// The one axis of cycles below the lanes of both sides: its end, its folds and its ticks.
#include "view/walk/lanes_axis.h"

#include <algorithm>
#include <cmath>

#include "core/schedules/registry.h"
#include "tests/unit/pages/compare/compare_session.h"
#include "view/walk/thread_block.h"
#include "view/words/units.h"

using namespace tilewalk;
using test::Compare;

TEST_CASE("the lanes of a call lie on one axis that ends for all of them at one cycle, with ticks to its end") {
  for (const auto& [now, pinned] : {std::pair{ScheduleKind::FlashV2, ScheduleKind::FlashV1},
                                    {ScheduleKind::FlashV3, ScheduleKind::FlashV2},
                                    {ScheduleKind::FlashV3, ScheduleKind::FlashV1},
                                    {ScheduleKind::FlashV1, ScheduleKind::FlashV3}}) {
    INFO(name_of(now) << " against " << name_of(pinned));
    Compare on(now);
    on.open_lanes();
    on.send(PinSchedule{pinned});
    const ComparePage page = build_compare_page(*on.session, 6000, 300, 120, on.cache);  // no visit is left out
    const Timeline* const sides[] = {&*on.cache.pinned_timeline, &*on.cache.timeline};
    const LanesAxis axis({sides[1], sides[0]}, true);
    REQUIRE(page.lanes.pictures.size() == 2);
    for (int side = 0; side < 2; ++side) {
      const LanesPicture& picture = page.lanes.pictures[std::size_t(side)];
      CHECK(picture.goes_on);
      CHECK(picture.note.find("drawn to cycle " + cycles_text(axis.end()) + ", in visit ") != std::string::npos);
      // No visit is missing: with more of them the same work lies before the end of the axis.
      const Schedule& schedule = side == 1 ? *on.cache.schedule : *on.cache.pinned_schedule;
      const Timeline more = timeline_of(schedule, side == 1 ? on.cache.block : on.cache.pinned_block, 64);
      const auto begun = [&](const Timeline& t) {
        return std::count_if(t.segments.begin(), t.segments.end(),
                             [&](const Segment& s) { return s.doing != Doing::Waiting && s.start < axis.end() - 1; });
      };
      CHECK(begun(*sides[side]) == begun(more));
      double reach = 0;
      for (const LaneRow& row : picture.rows) {
        double before = 0;
        for (const LaneBox& box : row.boxes) {
          CHECK(box.x0 >= before - 1e-9);
          before = box.x1;
          reach = std::max(reach, box.x1);
          if (box.kind != LaneBoxKind::Scores) continue;
          // The box of a product stands where the timeline has that product.
          const bool found = std::any_of(sides[side]->segments.begin(), sides[side]->segments.end(), [&](auto& s) {
            return s.doing == Doing::Scores && std::fabs(s.start / axis.end() - box.x0) < 1e-6;
          });
          CHECK(found);
        }
      }
      CHECK(reach > 0.97);
    }
    REQUIRE(page.lanes.cycles.ticks.size() >= 3);
    const std::vector<AxisTick>& ticks = page.lanes.cycles.ticks;
    CHECK(ticks.back().at + (ticks[1].at - ticks[0].at) > 1 - 1e-9);
  }
}

TEST_CASE("both sides have one axis, folded or not: an instant has one place, and the longer side ends at its end") {
  const auto reach = [](const LanesPicture& picture) {
    double out = 0;
    for (const LaneRow& row : picture.rows)
      for (const LaneBox& box : row.boxes) out = std::max(out, box.x1);
    return out;
  };
  for (const std::int64_t n : {16, 64, 2048})
    for (const ScheduleKind kind : {ScheduleKind::FlashV2, ScheduleKind::FlashV3, ScheduleKind::SplitKv}) {
      Compare on(kind, n);
      on.send(ShowPage{Page::Compare});
      on.send(ChooseCompared{Compared::Walk});
      on.send(PinSchedule{kind == ScheduleKind::FlashV2 ? ScheduleKind::FlashV1 : ScheduleKind::FlashV2});
      const ComparePage page = on.page();
      if (page.lanes.pictures.size() < 2) continue;
      INFO(name_of(kind) << ", N " << n);
      const Timeline &pinned = *on.cache.pinned_timeline, &now = *on.cache.timeline;
      const LanesAxis axis({&now, &pinned}, true);
      for (const auto& [side, t] : {std::pair{0, &pinned}, {1, &now}})
        CHECK(reach(page.lanes.pictures[std::size_t(side)]) ==
              Approx(axis.at(std::min(axis.end(), t->simulated_cycles)) / axis.wide()).epsilon(1e-6));
      // A fold of both sides is at one place on both.
      const std::vector<LaneFold>&above = page.lanes.pictures[0].folds, &below = page.lanes.pictures[1].folds;
      for (std::size_t i = 0; i < std::min(above.size(), below.size()); ++i) CHECK(above[i].x0 == below[i].x0);
      for (const double part : {0.0, 0.13, 0.5, 0.77, 1.0})
        CHECK(axis.cycles_at(axis.at(part * axis.end())) == Approx(part * axis.end()));
      CHECK(page.lanes.cycles.ticks.size() >= 3);
    }
}

TEST_CASE("a folded axis keeps the order of cycles and one scale for work, and folds where every picture waits") {
  const auto timeline = [](std::initializer_list<std::pair<double, double>> work) {
    Timeline t;
    t.lanes.resize(1);
    for (const auto& [start, end] : work) {
      Segment s;
      s.start = start, s.end = end, s.doing = Doing::Scores;
      t.segments.push_back(s);
      t.simulated_cycles = t.cycles = end;
    }
    return t;
  };
  const Timeline alone = timeline({{0, 10}, {110, 120}, {220, 230}}), other = timeline({{50, 60}});
  const LanesAxis axis({&alone}, true);
  REQUIRE(axis.waits().size() == 2);
  CHECK(axis.at(5) == Approx(5));
  CHECK(axis.at(10) == Approx(10));
  CHECK(axis.at(120) - axis.at(110) == Approx(10));
  CHECK(axis.at(60) > axis.at(59));
  CHECK(axis.wide() < 50);
  CHECK(LanesAxis({&alone}, false).at(200) == Approx(200));
  const LanesAxis both({&alone, &other}, true);
  REQUIRE(both.waits().size() == 3);  // the other one works in the middle of the first wait
  CHECK(both.at(60) - both.at(50) == Approx(10));
}

TEST_CASE("in a narrow area fewer visits of a call are drawn, and the cursor is among them") {
  Compare on(ScheduleKind::FlashV3);
  on.open_lanes();
  while (on.session->busy()) on.send(Work{64});
  const ComparePage whole = build_compare_page(*on.session, 6000, 300, 120, on.cache);
  std::size_t fewest = 1000;
  for (const std::int64_t ahead : {0, 4, 9, 17, 30, 41, 60}) {
    on.send(GoToCallStep{whole.cursor + ahead});
    const ComparePage page = build_compare_page(*on.session, 900, 300, 120, on.cache);
    const LanesPicture& lanes = page.lanes.pictures.back();
    INFO(ahead << ", " << lanes.note);
    CHECK(lanes.cursor >= 0);
    CHECK(lanes.cursor <= 1);
    CHECK(lanes.goes_on);
    fewest = std::min(fewest, lanes.rows.back().boxes.size());
  }
  CHECK(fewest < whole.lanes.pictures.back().rows.back().boxes.size());
}
