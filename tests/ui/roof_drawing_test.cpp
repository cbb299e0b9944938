// A roofline drawn in a lesson: by the mouse, by keys, at every size of the window.
#include <cmath>

#include "session/lesson/lesson_file.h"
#include "session/lesson/roof_marks.h"
#include "tests/ui/headless.h"

using namespace tilewalk;
using tilewalk::test::Headless;
using tilewalk::test::picture_document;

namespace {

void put_drawing_lessons(SessionSetup& setup) {
  setup.load_lessons = [] { return load_lessons(TILEWALK_SOURCE_DIR "/assets/lessons"); };
  setup.presets = *load_presets(TILEWALK_SOURCE_DIR);
}

struct Paper : Headless {
  explicit Paper(int screen, int width = 1600, int height = 900)
      : Headless(picture_document(), width, height, true, put_drawing_lessons) {
    session->dispatch(OpenLesson{14, screen});
    frames(4);
  }
  // A press at FLOP per byte and TFLOP/s, on the paper of roof_drawing.cpp.
  void press_at(double x, double y) {
    const draw::Rect r = rect("roofline-drawing/drawing");
    click(r.x0 + r.width() * float(std::log(x) / std::log(16384)),
          r.y1 - r.height() * float(std::log(y) / std::log(3000)));
  }
  PlacedMarks marks() const { return placed_marks(*session->lesson().screen().task, session->lesson().draft()).marks; }
};

}  // namespace

TEST_CASE("a press places the first mark without a place, and a press on a mark moves that one") {
  Paper paper(1);
  REQUIRE(paper.session->page() == Page::Roofline);
  paper.press_at(10, 50);
  REQUIRE(paper.marks()[0]);
  CHECK(paper.marks()[0]->y == Approx(5).epsilon(0.02));
  CHECK_FALSE(paper.marks()[1]);
  paper.press_at(3000, 700);
  REQUIRE(paper.marks()[1]);
  CHECK(paper.marks()[1]->y == Approx(700).epsilon(0.02));
  paper.press_at(10, 43);  // near the slope
  CHECK(paper.marks()[0]->y == Approx(4.3).epsilon(0.02));
  CHECK(paper.marks()[1]->y == Approx(700).epsilon(0.02));
  paper.press(Key::Enter);
  REQUIRE(paper.session->lesson().checked());
  CHECK(paper.session->lesson().checked()->verdict == AnswerVerdict::Wrong);  // 700
  paper.press_at(3000, 800);
  paper.click("rail/check");
  CHECK(paper.session->lesson().task().right);
}

TEST_CASE("with keys alone marks are placed, chosen and checked") {
  Paper paper(1);
  const std::int64_t cursor = paper.session->cursor();
  paper.press(Key::Enter);
  paper.press(Key::Up);
  REQUIRE(paper.marks()[0]);
  const double before = paper.marks()[0]->y;
  paper.press(Key::Up);
  CHECK(paper.marks()[0]->y > before);
  CHECK(paper.marks()[0]->y < before * 1.1);
  paper.press(Key::Space);
  paper.press(Key::Down);
  REQUIRE(paper.marks()[1]);
  CHECK(paper.session->cursor() == cursor);  // Space and the arrows are the drawing's
  paper.press(Key::Enter);
  CHECK(paper.session->lesson().checked());
}

TEST_CASE("the drawing takes the page, and its labels stand inside the chart") {
  for (const auto& [width, height] : {std::pair{1280, 720}, std::pair{1600, 900}, std::pair{3840, 2160}}) {
    Paper paper(2, width, height);
    CAPTURE(width);
    CHECK(paper.ui.rects.find("roofline-drawing/drawing"));
    CHECK_FALSE(paper.ui.rects.find("roofline-guess/reveal"));
    CHECK(paper.rect("roofline-drawing/drawing").width() > 0.5f * float(width));
    CHECK(paper.rect("roofline-drawing/drawing").y1 < float(height));
    paper.session->dispatch(OpenLesson{14, 3});  // a number: the page's own panels are back
    paper.frames(3);
    CHECK_FALSE(paper.ui.rects.find("roofline-drawing/drawing"));
  }
}
