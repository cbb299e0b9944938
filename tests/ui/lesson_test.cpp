// A lesson in the window: by keys alone, by the mouse alone.
#include "session/lesson/lesson_file.h"
#include "session/questions/question_file.h"
#include "tests/ui/headless.h"
#include "ui/panels/learn/rich_text.h"

using namespace tilewalk;
using tilewalk::test::Headless;
using tilewalk::test::picture_document;

namespace {

void put_lessons(SessionSetup& setup) {
  setup.load_lessons = [] { return load_lessons(TILEWALK_SOURCE_DIR "/assets/lessons"); };
  setup.load_questions = [] { return load_questions(TILEWALK_SOURCE_DIR); };
  setup.presets = *load_presets(TILEWALK_SOURCE_DIR);
}

struct Classroom : Headless {
  Classroom(int width, int height) : Headless(picture_document(), width, height, true, put_lessons) { frames(2); }
  const LessonController& controller() const { return session->lesson(); }
  bool has(const std::string& place) const { return ui.rects.find(place).has_value(); }
  void click_at(const std::string& place) {
    const auto r = ui.rects.find(place);
    INFO(place);
    REQUIRE(r);
    click((r->x0 + r->x1) / 2, (r->y0 + r->y1) / 2);
  }
  void type(const char* text) {
    inject_text(text);
    frames(2);
  }
};

}  // namespace

TEST_CASE("with the mouse alone a lesson can be opened, answered and continued") {
  Classroom room(1600, 900);
  room.click_at("header/learn");
  REQUIRE(room.session->view().dialog() == Dialog::Lessons);
  room.click_at("dialog/lesson 5");
  REQUIRE(room.controller().lesson());
  CHECK(room.session->view().dialog() == Dialog::None);
  room.frames(2);
  CHECK(room.has("memory/halo sram"));
  room.click_at("rail/answer");
  room.click_at("rail/number pad");
  for (const char* key : {"2", "5", "7", "del", "6"}) room.click_at("rail/pad " + std::string(key));
  CHECK(room.controller().draft() == "256");
  room.click_at("rail/check");
  REQUIRE(room.controller().checked());
  CHECK(room.controller().checked()->verdict == AnswerVerdict::Wrong);
  room.click_at("rail/hint");
  CHECK(room.controller().task().hints == 1);
  room.click_at("rail/show");
  CHECK(room.controller().done());
  room.click_at("rail/next");
  CHECK(room.controller().screen_place() == 1);
  room.click_at("rail/screen 6");
  CHECK(room.controller().screen_place() == 5);
  room.click_at("rail/option a");
  CHECK(room.controller().task().right);
  room.click_at("rail/back");
  CHECK(room.controller().screen_place() == 4);
  room.click_at("rail/leave");
  CHECK_FALSE(room.controller().lesson());
}

TEST_CASE("with keys alone a lesson's questions can be answered") {
  Classroom room(1600, 900);
  room.session->dispatch(OpenLesson{5, 1});
  room.frames(2);
  room.press(Key::Enter);  // the question is active
  room.frames(3);
  room.type("4096");
  room.press(Key::Enter);
  CHECK(room.controller().task().right);
  room.frames(2);
  room.press(Key::Enter);  // on
  CHECK(room.controller().screen_place() == 1);
  room.session->dispatch(OpenLesson{5, 6});
  room.frames(2);
  const std::int64_t cursor = room.session->cursor();
  room.press(Key::Enter);
  room.press(Key::Down);
  room.press(Key::Down);
  CHECK(room.controller().draft() == "b");
  room.press(Key::Enter);
  CHECK(room.controller().checked()->verdict == AnswerVerdict::Wrong);
  room.press(Key::Up);
  room.press(Key::Enter);
  CHECK(room.controller().task().right);
  CHECK(room.session->cursor() == cursor);
  room.session->dispatch(OpenLesson{4, 1});
  room.frames(2);
  room.press(Key::Enter);
  room.press(Key::Down);
  CHECK(room.ui.lesson_line == 1);
  room.press(Key::Escape);
  room.press(Key::Right);  // the key belongs to the walk again
  CHECK(room.session->cursor() == 1);
}

TEST_CASE("the mouse opens the review from the list of lessons, and opens a screen again") {
  Classroom room(1600, 900);
  room.session->dispatch(OpenLesson{5, 2});
  room.session->dispatch(CheckAnswer{"1"});
  room.session->dispatch(Action::LeaveLesson);
  room.frames(2);
  room.click_at("header/learn");  // goes on with the lesson that was begun
  REQUIRE(room.controller().lesson());
  CHECK(room.controller().lesson()->number == 5);
  room.frames(2);
  room.click_at("header/learn");  // then opens the list
  room.click_at("dialog/What went wrong");
  REQUIRE(room.session->view().dialog() == Dialog::Review);
  room.frames(2);
  room.click_at("dialog/again 5.2");
  REQUIRE(room.controller().lesson());
  CHECK(room.controller().lesson()->number == 5);
  CHECK(room.controller().screen_place() == 1);
  CHECK(room.session->view().dialog() == Dialog::None);
}

TEST_CASE("after the last screen of the last lesson comes the review and the reading list") {
  Classroom room(1600, 900);
  room.session->dispatch(Action::ShowLessons);
  const Lesson& last = room.controller().lessons().back();
  room.session->dispatch(OpenLesson{last.number, std::int64_t(last.screens.size())});
  room.frames(2);
  room.click_at("rail/next");
  CHECK(room.session->view().dialog() == Dialog::Review);
  CHECK(room.controller().lesson());
  room.frames(2);
  CHECK(room.has("dialog/All lessons"));
}

TEST_CASE("Q opens the questions; one expands, and Show me opens its view") {
  Classroom room(1280, 720);
  room.press(Key::Q);
  REQUIRE(room.session->view().dialog() == Dialog::Questions);
  room.frames(2);
  room.click_at("dialog/question 3");
  CHECK(room.session->questions().chosen() == 2);
  room.frames(3);
  room.click_at("dialog/Show me");
  CHECK(room.session->view().dialog() == Dialog::None);
  CHECK(room.session->page() == Page::Roofline);
}

TEST_CASE("after Show me a button leads back to the problem that was on screen") {
  Classroom room(1600, 900);
  const Problem before = room.session->problem();
  room.session->dispatch(Action::ShowQuestions);
  room.session->dispatch(ChooseQuestion{2});
  room.frames(3);
  room.click_at("dialog/Show me");
  room.session->dispatch(LoadPreset{"plain"});
  room.session->dispatch(ShowPage{Page::Walk});
  room.frames(3);
  REQUIRE(room.session->problem() != before);
  room.click_at("schedules/back to problem");
  CHECK(room.session->problem() == before);
  room.frames(2);
  CHECK_FALSE(room.ui.rects.find("schedules/back to problem"));
}

TEST_CASE("at 1280 by 720 and with large text the question and its buttons are visible") {
  for (const double scale : {1.0, 1.5, 2.0}) {
    Classroom room(scale > 1.5 ? 1600 : 1280, scale > 1.5 ? 900 : 720);
    room.session->dispatch(SetTextScale{scale});
    for (const Lesson& lesson : room.controller().lessons()) {
      room.session->dispatch(OpenLesson{lesson.number, 1});
      room.frames(3);
      INFO(lesson.id << " at " << scale);
      const auto next = room.ui.rects.find("rail/next");
      REQUIRE(next);
      CHECK(next->x1 <= room.layout.lesson_panel.x1);
      CHECK(next->y1 <= room.layout.lesson_panel.y1);
      CHECK(room.has("rail/back"));
    }
  }
}

TEST_CASE("a full stop is not separated from the word before it") {
  Classroom room(1280, 720);
  room.frames(1);
  const Sentence sentence = {{.style = Run::Style::Strong, .text = "cores"}, {.text = "."}};
  const float wide = draw::text_width(room.theme.fonts.strong, "cores") + 1;
  CHECK(rich_paragraph(nullptr, room.theme, 0, 0, wide, 0, sentence) ==
        rich_paragraph(nullptr, room.theme, 0, 0, 10 * wide, 0, sentence));
}
