#include "tests/ui/headless.h"

using namespace tilewalk;
using tilewalk::test::Headless;
using tilewalk::test::picture_document;

namespace {

draw::Rect transport_button(const Headless& head, int index) {
  const float s = head.theme.s, x = head.layout.transport.x0 + 14 * s, y = head.layout.transport.y0 + 12 * s;
  const float widths[] = {40, 40, 52, 40, 40};
  float left = x;
  for (int i = 0; i < index; ++i) left += (widths[i] + 6) * s;
  return {left, y, left + widths[index] * s, y + 32 * s};
}

Commands click(Headless& head, const draw::Rect& r) { return head.click((r.x0 + r.x1) / 2, (r.y0 + r.y1) / 2); }

}  // namespace

TEST_CASE("each transport button makes exactly its command, by the unit in use") {
  Headless head(picture_document());
  head.frames(2);
  const Action by_tile[] = {Action::First, Action::TileBack, Action::PlayPause, Action::TileForward,
                               Action::Last};
  for (int i = 0; i < 5; ++i) CHECK(click(head, transport_button(head, i)) == Commands{by_tile[i]});
  head.session->dispatch(SetUnit{StepUnit::Phase});
  CHECK(click(head, transport_button(head, 3)) == Commands{Action::StepForward});
  head.session->dispatch(SetUnit{StepUnit::QTile});
  CHECK(click(head, transport_button(head, 1)) == Commands{Action::QTileBack});
}

TEST_CASE("a button that could do nothing makes no command") {
  Document document = picture_document();
  document.cursor = 0;
  Headless head(document);
  head.frames(2);
  CHECK(click(head, transport_button(head, 0)).empty());
  CHECK(click(head, transport_button(head, 1)).empty());
}

TEST_CASE("a click on a cell of the matrix selects that cell, a second one drops it") {
  Headless head(picture_document(), 1600, 900, true);
  head.frames(2);
  const draw::Rect area = grid_area(head.layout.grid, head.theme);
  const TileGridModel& grid = head.builder.build(*head.session, room_of(head.layout, head.theme)).grid;
  const float x = area.x0 + float(grid.x0 + 6.5 * grid.cell_w), y = area.y0 + float(grid.y0 + 11.5 * grid.cell_h);
  CHECK(head.click(x, y) == Commands{SelectCell{11, 6}});
  CHECK(head.click(x, y) == Commands{Action::SelectNothing});
}

TEST_CASE("a click on the timeline goes to the step under it, and pauses") {
  Headless head(picture_document(), 1600, 900, true);
  head.session->dispatch(Action::PlayPause);
  head.frames(2);
  const draw::Rect strip = timeline_area(head.layout.transport, head.theme);
  const TimelineModel& m = head.builder.build(*head.session, room_of(head.layout, head.theme)).timeline;
  const float at = 0.9f;
  const Commands made = head.click(strip.x0 + at * strip.width(), strip.y0 + 15);
  REQUIRE_FALSE(made.empty());
  CHECK(made.front() == Command(GoToStep{m.cursor_at(double(at))}));
  CHECK_FALSE(head.session->walk().playback().playing);
}

TEST_CASE("without a click the mouse over the whole window makes no command") {
  Headless head(picture_document());
  for (int y = 5; y < 900; y += 45)
    for (int x = 5; x < 1600; x += 80) {
      inject_mouse(float(x), float(y), false);
      REQUIRE(head.frame().empty());
    }
}

TEST_CASE("a splitter that is dragged makes its panel wider and no command") {
  Headless head(picture_document());
  head.frames(2);
  const float before = head.layout.memory.width(), x = (head.layout.split_left.x0 + head.layout.split_left.x1) / 2,
              y = 400;
  inject_mouse(x, y, false);
  Commands all = head.frames(2);
  inject_mouse(x, y, true);
  for (Command& c : head.frames(2)) all.push_back(c);
  inject_mouse(x + 60, y, true);
  for (Command& c : head.frames(2)) all.push_back(c);
  inject_mouse(x + 60, y, false);
  for (Command& c : head.frames(2)) all.push_back(c);
  CHECK(all.empty());
  CHECK(head.layout.memory.width() == Approx(before + 60).margin(3));
}

TEST_CASE("a click on a kernel's tile sizes types both, and applies nothing") {
  Document document = picture_document();
  document.problem.numerics.dtype = DType::Fp16;
  Headless head(document, 1600, 900, true);
  head.session->dispatch(Action::EditProblem);
  head.frames(3);
  const Problem before = head.session->problem();
  bool typed = false;
  for (float y = 100; y < 700 && !typed; y += 9)
    for (const Command& c : head.click(560, y)) typed |= c == Command(EditField{"br", "128"});
  CHECK(typed);
  CHECK(head.session->editing().draft().at("br") == "128");
  CHECK(head.session->editing().draft().at("bc") == "128");
  CHECK(head.session->problem() == before);
}
