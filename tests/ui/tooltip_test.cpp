// Tooltips: after a rest, beside the current tile, never while a button is down; and one frame is asked for, no more.
#include "pages/walk/walk_page.h"
#include "tests/ui/headless.h"

using namespace tilewalk;
using tilewalk::test::Headless;
using tilewalk::test::picture_document;
using tilewalk::test::tooltip_area;
using tilewalk::test::touches;
using tilewalk::test::within;

namespace {

void point_at(const draw::Rect& r) { inject_mouse((r.x0 + r.x1) / 2, (r.y0 + r.y1) / 2, false); }

}  // namespace

TEST_CASE("a tooltip appears once the pointer has rested, and a move begins the rest anew") {
  Headless head(picture_document());
  head.frames(3);
  const draw::Rect r = head.rect("schedules/flash_v1");
  point_at(r);
  head.frames(10);
  CHECK_FALSE(tooltip_area());
  REQUIRE(head.ui.tooltip.due);
  inject_mouse(r.x0 + 3, (r.y0 + r.y1) / 2, false);
  head.frames(14);  // longer than a rest since the first move, not since the second
  CHECK_FALSE(tooltip_area());
  head.frames(14);
  CHECK(tooltip_area());
  CHECK_FALSE(head.ui.tooltip.due);
  inject_mouse(r.x0 + 5, (r.y0 + r.y1) / 2, false);  // still the same place
  head.frames(2);
  CHECK(tooltip_area());
  inject_mouse(-1e5f, -1e5f, false);
  head.frames(2);
  CHECK_FALSE(tooltip_area());
}

TEST_CASE("a pointer that lay where the window opened has no tooltip until it moves") {
  Headless head(picture_document());
  head.frames(3);
  const draw::Rect r = head.rect("memory/caption 0");
  inject_mouse(-FLT_MAX, -FLT_MAX, false);
  head.frames(2);
  point_at(r);
  head.frames(40);
  CHECK_FALSE(tooltip_area());
  CHECK_FALSE(head.ui.tooltip.due);
  inject_mouse(r.x0 + 3, r.y0 + 3, false);
  head.frames(40);
  CHECK(tooltip_area());
  inject_mouse(-1e5f, -1e5f, false);
  head.frames(2);
}

TEST_CASE("a pointer that lay where another page opened has no tooltip until it moves") {
  for (const Command& opens : {Command{ShowPage{Page::Tree}}, Command{Action::EndlessZoom}, Command{Action::Present}}) {
    Headless head(picture_document(), 1600, 900, true);
    head.frames(3);
    point_at(head.rect("header/keys"));
    head.rest();
    REQUIRE(tooltip_area());
    head.session->dispatch(opens);
    head.rest();
    CHECK_FALSE(tooltip_area());
    CHECK_FALSE(head.ui.tooltip.due);
    head.session->dispatch(ShowPage{Page::Walk});
    head.session->dispatch(ShowPage{Page::Race});
    head.rest();
    CHECK_FALSE(tooltip_area());
    inject_mouse(head.rect("header/keys").x0 + 3, head.rect("header/keys").y0 + 3, false);
    head.rest();
    CHECK(tooltip_area());
    inject_mouse(-1e5f, -1e5f, false);
    head.frames(2);
  }
}

TEST_CASE("a waiting tooltip asks for one frame at its time, a shown one and a bare place for none") {
  Headless head(picture_document());
  head.frames(3);
  CHECK_FALSE(head.ui.tooltip.due);
  point_at(head.rect("memory/caption 0"));
  head.frames(2);
  REQUIRE(head.ui.tooltip.due);
  const double due = *head.ui.tooltip.due;
  head.frames(5);
  CHECK(head.ui.tooltip.due == due);
  head.rest();
  CHECK_FALSE(head.ui.tooltip.due);
  inject_mouse(-1e5f, -1e5f, false);
  head.frames(2);
  CHECK_FALSE(head.ui.tooltip.due);
}

TEST_CASE("no tooltip is on screen while a mouse button is down, nor right after it") {
  Headless head(picture_document());
  head.frames(3);
  const draw::Rect r = head.rect("scores/matrix");
  const float x = r.x0 + 5, y = r.y0 + 5;
  inject_mouse(x, y, false);
  head.rest();
  REQUIRE(tooltip_area());
  inject_mouse(x, y, true);
  head.frames(2);
  CHECK_FALSE(tooltip_area());
  for (int i = 0; i < 30; ++i) {
    inject_mouse(x + float(i), y, true);
    head.frames(1);
    CHECK_FALSE(tooltip_area());
  }
  inject_mouse(x + 30, y, false);
  head.frames(3);
  CHECK_FALSE(tooltip_area());
}

TEST_CASE("the tooltip of any place leaves the current tile and the pointer uncovered") {
  for (const auto& [w, h] : {std::pair{1280, 720}, {1600, 900}}) {
    Headless head(picture_document(), w, h);
    head.frames(3);
    const draw::Rect tile = head.rect("scores/current tile");
    for (const char* place : {"memory/caption 0", "side/caption 0", "side/α", "scores/title", "transport/timeline",
                              "transport/place", "traffic/caption 0", "schedules/flash_v2"}) {
      INFO(place << " at " << w);
      const draw::Rect r = head.rect(place);
      point_at(r);
      head.rest();
      const std::optional<draw::Rect> area = tooltip_area();
      REQUIRE(area);
      CHECK_FALSE(touches(area->inset(1), tile));
      CHECK_FALSE(area->holds({(r.x0 + r.x1) / 2, (r.y0 + r.y1) / 2}));
      CHECK(within(*area, {0, 0, float(w), float(h)}));
    }
  }
}
