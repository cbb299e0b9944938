// From one step to the next nothing moves except what the step changes: rows keep their positions, tiles their size.
#include <set>

#include "core/schedules/registry.h"
#include "session/controllers/walk_controller.h"
#include "tests/ui/headless.h"

using namespace tilewalk;
using tilewalk::test::Headless;
using tilewalk::test::picture_document;
using tilewalk::test::within;

namespace {

// The position of a place in each step, to a pixel; steps without it are ignored.
struct Seen {
  std::set<std::pair<int, int>> corners;
  std::set<int> ends;
  void add(const std::optional<draw::Rect>& r) {
    if (!r) return;
    corners.insert({int(r->x0), int(r->y0)});
    ends.insert(int(r->x1));
  }
};

Document small(ScheduleKind kind) {
  Document document = picture_document();
  document.problem.schedule = kind;
  document.problem.machine.sram_bytes = 1 << 16;
  document.cursor = 0;
  return document;
}

}  // namespace

TEST_CASE("rows of the memories, numbers of O and the source do not move during any walk") {
  for (const ScheduleKind kind : all_schedules())
    for (const auto& [w, h] : {std::pair{1280, 720}, std::pair{1600, 900}}) {
      INFO(name_of(kind) << ", " << w << "x" << h);
      Headless head(small(kind), w, h, true);
      Seen step, o, bar, timeline;
      std::set<int> matrices;
      head.frames(2);  // a column's scroll bar is known from its second frame on
      for (std::int64_t k = 0; k <= head.session->schedule().step_count(); ++k) {
        head.session->dispatch(GoToStep{k});
        if (head.session->shows_last_card()) head.session->dispatch(Action::CloseLastCard);
        head.frames(1);
        step.add(head.ui.rects.find("memory/sram title"));
        o.add(head.ui.rects.find("side/o numbers"));
        timeline.add(head.ui.rects.find("transport/timeline"));
        bar.add(head.ui.rects.find("traffic/bar " + std::string(title_of(kind)) + ", so far"));
        matrices.insert(int(head.rect("scores/matrix").x0));
      }
      CHECK(step.corners.size() == 1);
      CHECK(timeline.corners.size() == 1);
      CHECK(bar.corners.size() == 1);
      CHECK(o.corners.size() == 1);
      CHECK(o.ends.size() == 1);
      CHECK(matrices.size() == 1);
    }
}

TEST_CASE("while a tile border is dragged, the matrix does not move and the border stays at the pointer") {
  Headless head(picture_document(), 1600, 900, true);
  head.session->dispatch(EditField{"sram", "65536"});
  head.session->dispatch(ApplyEdit{});
  head.frames(2);
  const draw::Rect border = head.rect("scores/K border 0"), matrix = head.rect("scores/matrix");
  const float y = (border.y0 + border.y1) / 2, from = (border.x0 + border.x1) / 2;
  const float cell = matrix.width() / 16;
  inject_mouse(from, y, false);
  head.frames(2);
  inject_mouse(from, y, true);
  head.frames(2);
  for (const int by : {2, 4, 8, 12}) {
    const float x = from + float(by) * cell;
    inject_mouse(x, y, true);
    head.frames(3);
    INFO(by << " columns further");
    CHECK(head.session->problem().tiling.bc == 4 + by);
    CHECK(within(head.rect("scores/matrix"), matrix));
    const draw::Rect now = head.rect("scores/K border 0");
    CHECK(std::fabs((now.x0 + now.x1) / 2 - x) < cell / 2);
  }
  inject_mouse(from + 12 * cell, y, false);
  head.frames(2);
}
