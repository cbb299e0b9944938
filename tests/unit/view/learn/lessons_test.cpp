// Every shipped lesson is played, and checked for what a learner may expect of it.
#include <algorithm>
#include <set>

#include "session/document/session_file.h"
#include "session/lesson/lesson_file.h"
#include "session/resources.h"
#include "session/script.h"
#include "tests/support/catch.h"
#include "tests/support/shipped_setup.h"
#include "view/check/lesson_check.h"
#include "view/learn/figure_text.h"
#include "view/learn/lesson_panel_model.h"

using namespace tilewalk;

namespace {

constexpr int kMostWords = 95, kMostScreens = 10;

int count_words(const Prose& prose) {
  int words = 0;
  for (const Paragraph& paragraph : prose) {
    bool in_word = false;
    for (const Run& run : paragraph.runs)
      for (const char c : run.figure ? std::string("x ") : run.text) {
        if (c != ' ' && !in_word) ++words;
        in_word = c != ' ';
      }
  }
  return words;
}

// Reading, and actions as a reader with a calculator took them. Work by hand takes longest, O most of all: one number
// for each element, of several products.
double minutes_needed(const Lesson& lesson) {
  constexpr double kWordsAMinute = 150;
  double words = 0, minutes = 0;
  for (const LessonScreen& screen : lesson.screens) {
    words += count_words(screen.prose) + count_words(screen.after);
    if (!screen.task) continue;
    const LessonTask& task = *screen.task;
    words += count_words({{false, task.ask}});
    for (const TaskOption& option : task.options)
      words += 1 + double(std::count(option.text.begin(), option.text.end(), ' '));
    switch (task.kind) {
      case TaskKind::Choose: minutes += 0.4; break;
      case TaskKind::Do:
      case TaskKind::Number:
      case TaskKind::MarkTiles:
      case TaskKind::Predict: minutes += 0.7; break;
      case TaskKind::Order:
      case TaskKind::Label:
      case TaskKind::Draw: minutes += 0.8; break;
      case TaskKind::ByHand:
        for (const Quantity quantity : task.by_hand->ask.value_or(HandQuantities{}))
          minutes += quantity == Quantity::O                             ? 3.5
                     : quantity == Quantity::M                           ? 0.1
                     : ledger_row(quantity).shape == QuantityShape::Cell ? 1.5

                                                                         : 0.6;
    }
  }
  return minutes + words / kWordsAMinute;
}

LessonPanelModel lesson_panel_of(const Session& session) {
  const std::optional<LessonPanelModel> lesson_panel = build_lesson_panel_model(session);
  REQUIRE(lesson_panel);
  return *lesson_panel;
}

}  // namespace

TEST_CASE("every lesson can be played, and its wrong answers get different replies") {
  int diagnoses = 0;
  for (const Lesson& lesson : test::shipped_lessons()) {
    const LessonCheck check = check_lesson(lesson, test::shipped_session);
    INFO(lesson.id);
    for (const std::string& fault : check.faults) UNSCOPED_INFO(fault);
    CHECK(check.faults.empty());
    CHECK((check.actions >= 3 || !lesson.asks));
    CHECK(check.passed == check.actions);
    diagnoses += check.diagnoses;
  }
  CHECK(test::shipped_lessons().size() == 18);  // one introduction, and seventeen
  CHECK(diagnoses >= 250);
}

// A figure in bytes brings its unit with it: "208 B numbers" would have two.
TEST_CASE("no figure of a lesson's picture has two units") {
  for (const Lesson& lesson : test::shipped_lessons())
    for (int screen = 1; screen <= int(lesson.screens.size()); ++screen) {
      if (!lesson.screens[std::size_t(screen - 1)].picture) continue;
      const auto session = test::shipped_session();
      session->dispatch(OpenLesson{lesson.number, screen});
      session->dispatch(Action::LessonAnswer);
      const LessonPanelModel panel = lesson_panel_of(*session);
      if (!panel.picture) continue;
      for (const PictureItemModel& item : panel.picture->items)
        for (const char* unit : {" B ", " KiB ", " MiB ", " ms "})
          for (const char* other : {"numbers", "scores", "bytes", "tiles", "rows"}) {
            CAPTURE(lesson.number, screen, item.name);
            CHECK(item.words.find(std::string(unit) + other) == std::string::npos);
          }
    }
}

TEST_CASE("a screen is short, and a lesson has few of them") {
  for (const Lesson& lesson : test::shipped_lessons()) {
    CAPTURE(lesson.id);
    if (!lesson.asks) continue;
    const auto sampled = std::count_if(lesson.screens.begin(), lesson.screens.end(), [](const LessonScreen& screen) {
      return screen.task && screen.task->draw > 1;  // the same screen, with another call
    });
    CHECK(int(lesson.screens.size() - sampled) <= kMostScreens);
    CHECK_FALSE(lesson.ask_class.empty());
    CHECK_FALSE(lesson.usual_mistakes.empty());
    for (const LessonScreen& screen : lesson.screens) {
      CAPTURE(screen.title);
      CHECK(count_words(screen.prose) <= kMostWords);
      CHECK((screen.task.has_value() || (sampled > 0 && &screen == &lesson.screens.back())));
      if (screen.task) CHECK(screen.task->hints.size() >= 1);
    }
  }
}

TEST_CASE("a lesson takes the minutes that it says, by its words and its actions") {
  for (const Lesson& lesson : test::shipped_lessons()) {
    INFO(lesson.id << ": " << minutes_needed(lesson));
    CHECK(double(lesson.minutes) >= minutes_needed(lesson) - 1);
    CHECK(double(lesson.minutes) <= std::max(1.35 * minutes_needed(lesson), minutes_needed(lesson) + 1.5));
  }
}

TEST_CASE("the lesson panel does not show an answer before it is given") {
  for (const Lesson& lesson : test::shipped_lessons())
    for (std::size_t i = 0; i < lesson.screens.size(); ++i) {
      const std::optional<LessonTask>& task = lesson.screens[i].task;
      if (!task || (task->kind != TaskKind::Number && task->kind != TaskKind::Predict)) continue;
      const auto session = test::shipped_session();
      session->dispatch(OpenLesson{lesson.number, std::int64_t(i) + 1});
      const Result<Figure> right = task->answer->value(session->lesson().facts());
      REQUIRE(right.ok());
      CAPTURE(lesson.id, lesson.screens[i].title);
      const LessonPanelModel before = lesson_panel_of(*session);
      CHECK(before.task->answer.empty());
      CHECK(before.after.empty());
      CHECK(before.notes.empty());
      session->dispatch(CheckAnswer{right_answer(*task, session->lesson().facts())});
      CHECK(lesson_panel_of(*session).done);
      CHECK_FALSE(lesson_panel_of(*session).task->answer.empty());
    }
}

TEST_CASE("the lesson panel shows the position, the reply, and what is left") {
  const auto session = test::shipped_session();
  CHECK_FALSE(build_lesson_panel_model(*session));
  session->dispatch(OpenLesson{5, 1});
  LessonPanelModel lesson_panel = lesson_panel_of(*session);
  CHECK(lesson_panel.short_head == "Lesson 5");
  CHECK(lesson_panel.first);
  CHECK_FALSE(lesson_panel.done);
  CHECK(lesson_panel.marks.front() == ScreenMark::Now);
  session->dispatch(Action::LessonHint);
  CHECK(lesson_panel_of(*session).notes.size() == 1);
  session->dispatch(CheckAnswer{"1024"});
  lesson_panel = lesson_panel_of(*session);
  REQUIRE(lesson_panel.notes.size() == 2);
  CHECK(lesson_panel.notes.back().kind == LessonNote::Kind::Wrong);
  session->dispatch(CheckAnswer{"4 KiB"});
  lesson_panel = lesson_panel_of(*session);
  CHECK(lesson_panel.done);
  CHECK(lesson_panel.task->answer == "4.00 KiB");
  session->dispatch(Action::NextScreen);
  CHECK(lesson_panel_of(*session).marks.front() == ScreenMark::Done);
  const std::vector<LessonEntry> list = build_lesson_list(*session);
  REQUIRE(list.size() == test::shipped_lessons().size());
  for (const LessonEntry& entry : list)
    if (entry.number == 5) {
      CHECK(entry.done == 1);
      CHECK(entry.screen == 2);
      CHECK(entry.open);
    }
}

TEST_CASE("an action that does not reach the goal is answered with the current state") {
  const auto session = test::shipped_session();
  session->dispatch(OpenLesson{4, 3});
  CHECK(lesson_panel_of(*session).notes.empty());
  session->dispatch(Action::Last);
  LessonPanelModel lesson_panel = lesson_panel_of(*session);
  REQUIRE(lesson_panel.notes.size() == 1);
  CHECK(lesson_panel.notes[0].kind == LessonNote::Kind::NotYet);
  CHECK(plain_text(lesson_panel.notes[0].line).starts_with("The window shows FA-2 at step "));
  session->dispatch(SetSchedule{ScheduleKind::Standard});
  session->dispatch(Action::Last);
  lesson_panel = lesson_panel_of(*session);
  CHECK(lesson_panel.done);
  CHECK(std::none_of(lesson_panel.notes.begin(), lesson_panel.notes.end(),
                     [](const LessonNote& note) { return note.kind == LessonNote::Kind::NotYet; }));
  session->dispatch(OpenLesson{4, 2});
  session->dispatch(OpenLesson{4, 3});
  CHECK(lesson_panel_of(*session).notes.empty());
}

TEST_CASE("a window task shown again is checked afresh") {
  const auto session = test::shipped_session();
  session->dispatch(OpenLesson{4, 3});
  session->dispatch(Action::LessonAnswer);
  CHECK(session->lesson().task().shown);
  CHECK_FALSE(session->lesson().task().right);
  session->dispatch(OpenLesson{4, 3});
  session->dispatch(Action::Last);
  CHECK(lesson_panel_of(*session).notes.front().kind == LessonNote::Kind::NotYet);
  session->dispatch(SetSchedule{ScheduleKind::Standard});
  session->dispatch(Action::Last);
  CHECK(session->lesson().task().right);
  CHECK_FALSE(session->lesson().task().shown);
}

TEST_CASE("every window task describes the current state by figures") {
  for (const Lesson& lesson : test::shipped_lessons())
    for (const LessonScreen& screen : lesson.screens) {
      if (!screen.task || screen.task->kind != TaskKind::Do) continue;
      CAPTURE(lesson.id, screen.title);
      CHECK(std::any_of(screen.task->says.begin(), screen.task->says.end(),
                        [](const Run& run) { return run.figure.has_value(); }));
    }
}

TEST_CASE("figures are formatted by their kind") {
  const Problem p;
  CHECK(figure_text(Figure::of(1024, Counts::Bytes), p, "") == "1.00 KiB");
  CHECK(figure_text(Figure::of(32768), p, "bytes") == "32.0 KiB");
  CHECK(figure_text(Figure::of(1048576, Counts::Whole), p, "") == "1,048,576");
  CHECK(figure_text(Figure::of(0.664), p, "") == "0.66");
  CHECK(figure_text(Figure::of(-0.664), p, "1") == "−0.7");
  CHECK(figure_text(Figure::of(2.54), p, "times") == "2.54×");
  CHECK(figure_text(Figure::of(0.66), p, "percent") == "66 %");
  CHECK(figure_text(Figure::of(-0.001), p, "percent") == "0 %");
  CHECK(figure_text(Figure::truth(true), p, "") == "yes");
}

TEST_CASE("work by hand in a lesson ends when every asked number is filled in") {
  const auto session = test::shipped_session();
  session->dispatch(OpenLesson{7, 3});
  REQUIRE(session->hand().on());
  const std::size_t asked = lesson_panel_of(*session).task->fields.size();
  CHECK(asked >= 2);
  std::size_t answered = 0;
  for (int i = 0; i < 20 && !session->lesson().done(); ++i) {
    for (const HandField& field : std::vector<HandField>(session->hand().fields())) {
      if (field.stands()) continue;
      session->dispatch(ShowField{field.place});
      ++answered;
    }
    if (!session->lesson().done()) session->dispatch(Action::StepForward);
  }
  CHECK(answered == asked);
  CHECK(session->lesson().task().shown);
  session->dispatch(OpenLesson{7, 5});  // asks for an order
  CHECK_FALSE(session->hand().on());
}
