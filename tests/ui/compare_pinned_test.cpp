// The pinned side of the comparison: which one it is, how it is chosen, how it follows, and how the two are exchanged.
#include <algorithm>

#include "pages/compare/compare_layout.h"
#include "pages/compare/compare_page.h"
#include "tests/ui/compare_page.h"

using namespace tilewalk;
using tilewalk::test::click_in_list;
using tilewalk::test::Headless;
using tilewalk::test::holds;
using tilewalk::test::open_page;
using tilewalk::test::with_schedule;
using tilewalk::test::within;

TEST_CASE("the baseline is the previous schedule, a chosen one, or the problem at its pinning") {
  Headless head(with_schedule(ScheduleKind::FlashV3));
  Session& session = *head.session;
  CHECK(session.baseline().schedule == ScheduleKind::FlashV2);
  session.dispatch(PinSchedule{ScheduleKind::FlashV1});
  CHECK(session.baseline().schedule == ScheduleKind::FlashV1);
  session.dispatch(PinSchedule{ScheduleKind::Backward});
  CHECK(session.baseline().schedule == ScheduleKind::FlashV2);
  session.dispatch(Action::PinNow);
  session.dispatch(SetLaneOption{LaneOption::PingPong, 0});
  CHECK(session.baseline().schedule == ScheduleKind::FlashV3);
  CHECK(session.baseline().lanes.ping_pong);
}

TEST_CASE("the drop-down of baselines pins another schedule, or the current one") {
  const auto chosen = [](const std::string& entry) {
    Headless head(with_schedule(ScheduleKind::FlashV2));
    open_page(head);
    CHECK(head.click("lanes/baseline").empty());
    return head.click("lanes/" + entry);
  };
  CHECK(chosen("Naive") == Commands{PinSchedule{ScheduleKind::Standard}});
  CHECK(chosen("FA-3") == Commands{PinSchedule{ScheduleKind::FlashV3}});
  CHECK(chosen("FA-4") == Commands{PinSchedule{ScheduleKind::FlashV4}});
  CHECK(chosen("Split-KV") == Commands{PinSchedule{ScheduleKind::SplitKv}});
  CHECK(chosen("as it stands") == Commands{Action::PinNow});
  CHECK(chosen("exchange") == Commands{Action::ExchangeSides});
  CHECK(chosen("FA-1").empty());  // is pinned
}

TEST_CASE("Esc first closes the drop-down of baselines, then the page") {
  Headless head(with_schedule(ScheduleKind::FlashV2), 1600, 900, true);
  open_page(head);
  head.click("lanes/baseline");
  CHECK(head.ui.drop_down);
  CHECK(head.press(Key::Escape).empty());
  CHECK_FALSE(head.ui.drop_down);
  CHECK(head.session->page() == Page::Compare);
  head.press(Key::Escape);
  CHECK(head.session->page() == Page::Walk);
}

TEST_CASE("the pinned side follows in step by the pace that I selects, at every pace within its own walk") {
  Headless head(with_schedule(ScheduleKind::FlashV2), 1600, 900, true);
  open_page(head);
  const auto page = [&] { return head.models<ComparePage>(); };
  const std::int64_t pinned_steps = make_schedule(head.session->baseline())->step_count();
  for (const Pace pace : {Pace::Tile, Pace::Flop, Pace::Byte, Pace::Time}) {
    INFO(name_of(pace));
    REQUIRE(head.session->document().view.pace == pace);
    std::int64_t before = 0;
    for (std::int64_t k = 1; k <= head.session->schedule().step_count(); k += 7) {
      head.session->dispatch(GoToStep{k});
      const ComparePage now = page();
      REQUIRE(now.pinned_cursor >= 0);
      REQUIRE(now.pinned_cursor <= pinned_steps);
      if (pace != Pace::Time) {
        REQUIRE(now.pinned_cursor >= before);
        before = now.pinned_cursor;
      }
      REQUIRE(now.lanes.pictures.size() == 2);
      REQUIRE_FALSE(now.lanes.pictures[0].so_far.empty());
    }
    CHECK(page().pace == std::string("in step by ") + name_of(pace));
    CHECK(head.press(Key::I) == Commands{Action::NextPace});
  }
  CHECK(head.session->document().view.pace == Pace::Tile);
}

TEST_CASE("M exchanges the two sides, in step, and a second M exchanges them back") {
  Headless head(with_schedule(ScheduleKind::FlashV2), 1600, 900, true);
  open_page(head);
  const Problem was = head.session->problem(), pinned = head.session->baseline();
  const std::int64_t there = cursor_in_step(head.session->schedule(), 12, *make_schedule(pinned), Pace::Tile);
  CHECK(head.press(Key::M) == Commands{Action::ExchangeSides});
  CHECK(head.session->problem() == pinned);
  CHECK(head.session->cursor() == there);
  CHECK(head.session->baseline() == was);
  CHECK(head.session->page() == Page::Compare);
  head.session->dispatch(Action::ExchangeSides);
  CHECK(head.session->problem() == was);
}

TEST_CASE("a transfer of the pinned side exchanges the two and goes to its step") {
  Headless head(with_schedule(ScheduleKind::FlashV2));
  open_page(head);
  const ComparePage page = head.models<ComparePage>();
  const draw::Rect r = compare_layout(head.layout).table;
  const float s = head.theme.s;
  REQUIRE_FALSE(page.compare.lines.front().left_transfers.empty());
  const std::int64_t step = page.compare.lines.front().left_transfers.front().step;
  bool exchanged = false;
  for (float y = r.y0 - 200 * s; y < r.y1 && !exchanged; y += 9 * s)
    exchanged = holds(click_in_list(head, page.compare.lines.front().id, r.x0 + 90 * s, y), ExchangeAt{step});
  CHECK(exchanged);
}
