// What a lesson asks for stands nowhere beside its question: on each screen that asks for a number, every text of every
// page is collected, and none tells it. Nor does the lesson panel, before it is answered.
#include "view/check/answer_in_view.h"

#include "pages/compare/compare_page.h"
#include "pages/race/race_model.h"
#include "pages/roofline/roofline_page.h"
#include "pages/which/which_page.h"
#include "session/document/session_file.h"
#include "session/document/words.h"
#include "session/lesson/lesson_file.h"
#include "session/resources.h"
#include "tests/support/catch.h"
#include "tests/support/shipped_setup.h"
#include "view/check/every_text.h"
#include "view/hide_asked.h"

using namespace tilewalk;

namespace {

std::unique_ptr<Session> session_at(int lesson, std::int64_t screen) {
  std::unique_ptr<Session> session = test::shipped_session();
  session->dispatch(OpenLesson{lesson, screen});
  while (session->busy()) session->dispatch(Work{64});
  return session;
}

Views views_of(const Session& session) {
  ViewBuilder builder{KernelTexts{}};
  ViewRoom room;
  room.scores_width = room.scores_height = 900;
  room.timeline_width = room.lanes_width = room.waves_width = room.waves_height = 800;
  return builder.build(session, room);
}

// What looks like an answer, and is something else.
bool stands_for_something_else(const Lesson& lesson, const ShownText& shown) {
  return (lesson.number == 3 && shown.where.starts_with("race")) ||        // for 128 heads
         (lesson.number == 6 && shown.where == "which") ||                 // PyTorch 2.2
         (lesson.number == 8 && shown.where == "tree") ||                  // SageAttention over FA-2, forward
         (lesson.number == 13 && shown.where == "differences") ||          // bytes, not a CPU's time
         (lesson.number == 17 && shown.where == "race, PyTorch cuDNN") ||  // its time over its floor, as in its tip:
         (lesson.number == 17 && shown.where == "race" && shown.text.starts_with("torch_cudnn\n"));
}

std::string numbers_at(const Views& views) {
  std::string out;
  for (const ShownText& shown : every_text(views)) out += shown.text + "\n";
  return out;
}

}  // namespace

TEST_CASE("no page shows a number that the lesson asks for") {
  int looked = 0;
  for (const Lesson& lesson : test::shipped_lessons())
    for (std::size_t i = 0; i < lesson.screens.size(); ++i) {
      const std::optional<LessonTask>& task = lesson.screens[i].task;
      if (!task || !task->answer) continue;
      const auto session = session_at(lesson.number, std::int64_t(i) + 1);
      const double answer = *task->answer->value(session->lesson().facts())->number();
      const auto expect_untold = [&](const std::vector<ShownText>& texts) {
        for (const ShownText& shown : texts_with_number(texts, answer, task->unit)) {
          if (stands_for_something_else(lesson, shown)) continue;
          CAPTURE(lesson.id, i + 1, answer, shown.where, shown.text, name_of(task->kind));
          FAIL_CHECK("the answer can be read");
        }
        looked += int(texts.size());
      };
      expect_untold(every_text(*views_of(*session).lesson_panel));
      expect_untold(every_text(views_of(*session)));
      for (std::size_t page = 0; page < std::size(kPageWords); ++page) {
        session->dispatch(ShowPage{Page(page)});
        while (session->busy()) session->dispatch(Work{64});
        expect_untold(every_text(views_of(*session)));
      }
    }
  CHECK(looked > 10'000);
}

TEST_CASE("values that a lesson hides return with the answer") {
  struct Hidden {
    int lesson;
    std::int64_t screen;
    const char* told;  // once it is answered
  };
  for (const Hidden& each : {Hidden{2, 1, "4,900 times smaller"}, {2, 2, "6.4 times faster"}, {5, 5, "3.5× less"}}) {
    CAPTURE(each.lesson, each.screen);
    const auto session = session_at(each.lesson, each.screen);
    CHECK(numbers_at(views_of(*session)).find(each.told) == std::string::npos);
    session->dispatch(Action::LessonAnswer);
    CHECK(numbers_at(views_of(*session)).find(each.told) != std::string::npos);
  }
}

TEST_CASE("values that a later lesson asks for are hidden throughout") {
  for (const std::int64_t screen : {1, 3, 6}) {
    CAPTURE(screen);
    const auto session = session_at(1, screen);
    session->dispatch(Action::LessonAnswer);
    CHECK(session->lesson().done());
    CHECK(numbers_at(views_of(*session)).find("times faster") == std::string::npos);
    session->dispatch(Action::LeaveLesson);
    CHECK(numbers_at(views_of(*session)).find("times faster") != std::string::npos);
  }
}

TEST_CASE("the change that enables a call is hidden while a lesson asks for it") {
  const auto session = session_at(12, 5);
  CHECK(views_of(*session).page<WhichPage>()->model->advice.empty());
  CHECK(numbers_at(views_of(*session)).find("is_causal=True") == std::string::npos);
  session->dispatch(Action::LeaveLesson);  // the person's own call is back; this is the lesson's
  session->dispatch(EditCall{"device", "a100"});
  session->dispatch(EditCall{"attn-mask", "bool"});
  CHECK_FALSE(views_of(*session).page<WhichPage>()->model->advice.empty());
  CHECK(numbers_at(views_of(*session)).find("is_causal=True") != std::string::npos);
}

TEST_CASE("recorded times are hidden while a lesson asks for one, on every page that has them") {
  const auto session = session_at(15, 6);
  session->dispatch(ShowPage{Page::Race});
  CHECK(views_of(*session).page<RaceModel>()->bars.empty());
  CHECK(views_of(*session).page<RaceModel>()->empty == kAskedNow);
  session->dispatch(ShowPage{Page::Roofline});
  session->dispatch(Action::RevealWin);
  CHECK(views_of(*session).page<RooflinePage>()->rows.empty());
  CHECK(views_of(*session).page<RooflinePage>()->wins.empty());
  session->dispatch(CheckAnswer{"3"});
  CHECK_FALSE(views_of(*session).page<RooflinePage>()->rows.empty());
}

TEST_CASE("the plot has the roofline's page to itself while a lesson asks for times") {
  const auto session = session_at(1, 5);
  CHECK(views_of(*session).page<RooflinePage>()->hides_times);
  session->dispatch(Action::LessonAnswer);
  CHECK_FALSE(views_of(*session).page<RooflinePage>()->hides_times);
}

TEST_CASE("a question about one schedule has its lanes alone") {
  const auto session = session_at(11, 1);
  const auto lanes = [&] { return views_of(*session).page<ComparePage>()->lanes; };
  REQUIRE(lanes().pictures.size() == 1);
  CHECK(lanes().pictures.front().title == "FA-2");
  session->dispatch(Action::LeaveLesson);
  CHECK(lanes().pictures.size() == 2);
}

TEST_CASE("a bar that is drawn larger says so once its length is known") {
  const auto session = session_at(1, 1);
  const auto clock = [&] { return views_of(*session).lesson_panel->picture->items.back(); };
  CHECK_FALSE(clock().zoomed);
  session->dispatch(Action::LessonAnswer);
  CHECK(clock().zoomed);
  CHECK(clock().words.find("times as wide") != std::string::npos);
}

TEST_CASE("the lesson that explains the window has one ring a screen; a long one says the minutes of a part") {
  const auto session = session_at(0, 1);
  for (const LessonScreen& screen : session->lesson().lesson()->screens) {
    REQUIRE(screen.scene);
    CHECK(screen.scene->outline.size() == 1);
  }
  session->dispatch(OpenLesson{7, 1});
  CHECK(views_of(*session).lesson_panel->head == "Lesson 7 · 2 × 12 min");
}

TEST_CASE("a text contains a number if its digits and its unit match") {
  CHECK(contains_number("4,600 times smaller", 4575, ""));
  CHECK(contains_number("1.81 KiB · 2.8× less", 2.78, "×"));
  CHECK(contains_number("FLOPs 678 µs", 0.678, "ms"));
  CHECK(contains_number("6.4 KiB", 6554, "bytes"));
  CHECK_FALSE(contains_number("6.44 ms", 6.44, ""));
  CHECK_FALSE(contains_number("4 of 10", 4, ""));
  CHECK_FALSE(contains_number("flash_v2", 2.0, ""));
  CHECK_FALSE(contains_number("2.9×", 2.78, "×"));
  CHECK_FALSE(contains_number("SM 45 runs 3 thread blocks", 45, ""));
  CHECK_FALSE(contains_number("measured 2026-11-21", 2026, ""));
}
