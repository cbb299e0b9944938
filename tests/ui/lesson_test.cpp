// A lesson in the window: by keys alone, by the mouse alone.
#include "tests/ui/classroom.h"
#include "ui/panels/learn/rich_text.h"

using namespace tilewalk;
using tilewalk::test::Classroom;

TEST_CASE("tiles of a lesson are marked by a click and by keys") {
  Classroom ui(1600, 900);
  ui.session->dispatch(OpenLesson{9, 1});
  ui.frames(4);
  ui.click_at("picture/tile 0,2");
  ui.frames(2);
  CHECK(ui.session->lesson().draft() == "0,2");
  ui.press(Key::Right);
  ui.press(Key::Down);
  ui.press(Key::Space);
  CHECK(ui.session->lesson().draft() == "0,2 1,3");
  ui.press(Key::Space);
  CHECK(ui.session->lesson().draft() == "0,2");
  ui.press(Key::Enter);
  REQUIRE(ui.session->lesson().checked());
  CHECK(ui.session->lesson().checked()->slip == "1 marked, all of them right. There are more.");
}

TEST_CASE("the unit of an answer is beside its field, and never under a button") {
  for (const auto& [w, h] : {std::pair{1280, 720}, std::pair{1600, 900}, std::pair{3840, 2160}})
    for (const auto& [lesson, screen] : {std::pair{1, 3}, std::pair{11, 2}}) {
      INFO(w << "x" << h << ", lesson " << lesson);
      Classroom room(w, h);
      room.session->dispatch(OpenLesson{lesson, screen});
      room.frames(4);
      const draw::Rect unit = room.rect("rail/unit"), field = room.rect("rail/answer"),
                       &panel = room.layout.lesson_panel;
      CHECK(unit.x0 >= field.x1);
      CHECK(unit.y0 == field.y0);
      CHECK(unit.x1 <= panel.x1);
      for (const char* place : {"rail/number pad", "rail/check"}) {
        INFO(place);
        CHECK_FALSE(test::touches(unit, room.rect(place)));
        CHECK(test::within(room.rect(place), panel));
      }
    }
}

TEST_CASE("the halo round the scores does not cross the legend") {
  for (const auto& [w, h] : {std::pair{1280, 720}, std::pair{1600, 900}, std::pair{3840, 2160}}) {
    INFO(w << "x" << h);
    Classroom room(w, h);
    room.session->dispatch(OpenLesson{5, 3});
    while (room.session->busy()) room.session->dispatch(Work{64});
    room.frames(4);
    const draw::Rect ring = room.rect("scores/halo scores");
    for (const char* entry : {"done", "now", "masked", "skipped", "to do"})
      CHECK(test::within(room.rect("scores/legend " + std::string(entry)), ring));
  }
}

TEST_CASE("with the mouse alone a lesson can be opened, answered and continued") {
  Classroom room(1600, 900);
  room.click_at("header/learn");
  REQUIRE(room.session->view().dialog() == Dialog::Lessons);
  room.click_at("dialog/lesson 5");
  REQUIRE(room.controller().lesson());
  CHECK(room.session->view().dialog() == Dialog::None);
  room.frames(2);
  CHECK(room.has("picture/asked S"));  // each of 32 queries with each of 32 keys
  CHECK(room.has("picture/cell K 31"));
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

TEST_CASE("a digit begins the answer to a question for a number, and is no other key") {
  for (const auto& [lesson, screen] : {std::pair{5, 1}, {1, 1}}) {
    Classroom room(1600, 900);
    room.session->dispatch(OpenLesson{lesson, screen});
    room.frames(2);
    REQUIRE(room.controller().screen().task);
    room.session->dispatch(Action::ZoomToTile);
    room.frames(2);
    const auto zoom = room.session->walk().grid_view();
    const char* digits[] = {"4", "0", "9", "6"};
    for (const char* digit : digits) {  // each with its key, as a keyboard sends them
      inject_text(digit);
      if (*digit == '0') CHECK_FALSE(tilewalk::test::holds(room.press(Key::Zero), Action::ZoomFit));
      room.frames(1);
    }
    room.frames(4);
    CHECK(room.controller().draft() == "4096");
    CHECK(room.session->walk().grid_view() == zoom);
    room.press(Key::Enter);
    CHECK(room.controller().checked());
  }
}

TEST_CASE("digits replace a wrong answer, and without a question for a number 0 shows the whole matrix") {
  Classroom room(1600, 900);
  room.session->dispatch(OpenLesson{5, 1});
  room.session->dispatch(CheckAnswer{"1024"});
  room.frames(3);
  inject_text("40");
  room.frames(2);
  inject_text("96");
  room.frames(4);
  CHECK(room.controller().draft() == "4096");
  room.press(Key::Enter);
  REQUIRE(room.controller().task().right);
  room.frames(2);
  CHECK(room.press(Key::Zero) == Commands{Action::ZoomFit});
}

TEST_CASE("Tab begins at the question of a lesson: its field, its first option, or what goes on") {
  Classroom room(1600, 900);
  room.session->dispatch(OpenLesson{5, 1});
  room.frames(2);
  room.press(Key::Tab);
  CHECK(room.ui.panel_at == "rail");
  room.frames(3);
  room.type("7");
  CHECK(room.controller().draft() == "7");
  room.press(Key::Tab);  // to the button that checks
  CHECK(room.has("rail/focused"));
  CHECK(room.press(Key::Enter) == Commands{Action::LessonCheck});
  room.press(Key::Tab);
  CHECK(room.ui.panel_at != "rail");
  room.session->dispatch(OpenLesson{5, 6});
  room.press(Key::Escape);
  room.frames(2);
  room.press(Key::Tab);
  CHECK(room.press(Key::Enter) == Commands{CheckAnswer{"a"}});
}

TEST_CASE("in little space what a screen outlines is in view, and a picture leaves its room to the question") {
  Classroom room(1280, 720);
  room.session->dispatch(OpenLesson{0, 2});  // outlines SRAM, which is below HBM
  room.frames(5);
  CHECK(room.rect("memory/halo sram").y1 <= room.rect("memory/panel").y1);
  room.session->dispatch(OpenLesson{2, 1});
  room.frames(3);
  CHECK(room.layout.memory.height() <= 0);
  CHECK(room.layout.lesson_panel.y1 == room.layout.page.y1);
}

TEST_CASE("Tab stops at no heading") {
  for (const int lesson : {0, 5}) {
    Classroom room(1600, 900);
    if (lesson > 0) room.session->dispatch(OpenLesson{lesson, 6});
    room.frames(2);
    for (int i = 0; i < 9; ++i) {
      room.press(Key::Tab);
      room.frames(2);
      const std::string panel = room.ui.panel_at;
      INFO(panel << ", Tab " << i);
      const auto focused = room.ui.rects.find(panel + "/focused");
      REQUIRE(focused);
      for (const auto& [place, r] : room.ui.rects.all())
        if (place.rfind(panel + "/caption", 0) == 0 || place == panel + "/title" || place == panel + "/rail head")
          CHECK_FALSE((r.x0 == focused->x0 && r.y0 == focused->y0 && r.x1 == focused->x1));
    }
  }
}

TEST_CASE("the words are listed by key, found by typing, and lead to their lesson") {
  Classroom room(1280, 720);
  room.press(Key::G, false, true);
  REQUIRE(room.session->view().dialog() == Dialog::Glossary);
  room.frames(3);
  CHECK(room.has("dialog/word attention"));
  room.type("running m");
  CHECK_FALSE(room.has("dialog/word attention"));
  REQUIRE(room.has("dialog/word m"));
  REQUIRE(room.has("dialog/to lesson of m"));
  room.press(Key::Enter);
  REQUIRE(room.controller().lesson());
  CHECK(room.controller().lesson()->number == 6);
  CHECK(room.session->view().dialog() == Dialog::None);
}

TEST_CASE("a lesson on the walk does not show the person's call beside its own problem") {
  for (const auto& [w, h] : {std::pair{1280, 720}, std::pair{1600, 900}}) {
    INFO(w << "x" << h);
    Classroom room(w, h);
    room.frames(2);
    CHECK(room.has("header/call"));
    for (const int lesson : {3, 5, 7}) {
      INFO("lesson " << lesson);
      room.session->dispatch(OpenLesson{lesson, 2});
      room.frames(4);
      CHECK_FALSE(room.has("header/call"));
      CHECK_FALSE(room.has("header/call n-q"));
      CHECK_FALSE(room.has("header/walk call"));
    }
    room.session->dispatch(OpenLesson{11, 2});  // on Compare, with a picture of another call in its place
    room.frames(4);
    CHECK(room.has("picture/bar One score"));
    CHECK_FALSE(room.has("header/call"));
    room.session->dispatch(OpenLesson{7, 2});
    room.session->dispatch(ShowPage{Page::Roofline});
    room.frames(4);
    CHECK(room.has("header/call"));
    room.session->dispatch(Action::LeaveLesson);
    room.frames(4);
    CHECK(room.has("header/call"));
  }
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

TEST_CASE("the list marks lessons that were begun or finished, and offers to go on with the last one begun") {
  Classroom room(1600, 900);
  room.session->dispatch(OpenLesson{1, 2});
  room.session->dispatch(OpenLesson{0, 1});
  room.session->dispatch(OpenLesson{0, std::int64_t(room.controller().lesson()->screens.size())});
  room.session->dispatch(OpenLesson{5, 1});
  room.session->dispatch(CheckAnswer{"4096"});
  room.session->dispatch(Action::NextScreen);
  room.session->dispatch(Action::LeaveLesson);
  room.session->dispatch(Action::ShowLessons);
  room.frames(3);
  CHECK(room.has("dialog/begun 1"));
  CHECK(room.has("dialog/begun 5"));
  CHECK_FALSE(room.has("dialog/begun 4"));
  CHECK_FALSE(room.has("dialog/finished 5"));
  const std::string words = room.builder.build(*room.session, room_of(room.layout, room.theme)).header.learn.words;
  CHECK(words.rfind("Continue 5 · 2 of ", 0) == 0);
  room.click_at("dialog/" + words);
  REQUIRE(room.controller().lesson());
  CHECK(room.controller().lesson()->number == 5);
  CHECK(room.controller().screen_place() == 1);
}

TEST_CASE("the list of lessons is cards with pictures, as many beside each other as fit, four at most") {
  for (const auto& [w, h, least, most] :
       {std::tuple{1280, 720, 4, 4}, {1600, 900, 4, 4}, {3840, 2160, 4, 4}, {800, 900, 1, 3}}) {
    INFO(w << "x" << h);
    Classroom room(w, h);
    room.session->dispatch(Action::ShowLessons);
    room.frames(3);
    const float top = room.rect("dialog/lesson 0").y0;
    int beside = 0;
    for (const Lesson& lesson : room.controller().lessons()) {
      const std::string number = std::to_string(lesson.number);
      INFO(number);
      const draw::Rect card = room.rect("dialog/lesson " + number);
      beside += card.y0 == top;
      CHECK(test::within(room.rect("dialog/picture " + number), card));
      CHECK(card.width() == Approx(room.rect("dialog/lesson 0").width()));
    }
    CHECK(beside >= least);
    CHECK(beside <= most);
  }
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
    Classroom room(scale > 1.5 ? 1600 : 1280, scale > 1.5 ? 900 : 720, scale);
    room.session->dispatch(OpenLesson{0, 1});  // reads the lessons
    REQUIRE(room.controller().lessons().size() > 10);
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

TEST_CASE("each question and the place of its answer are in view at once, without scrolling, in large text too") {
  for (const double scale : {1.0, 1.5}) {
    Classroom room(1280, 720, scale);
    room.session->dispatch(OpenLesson{0, 1});  // reads the lessons
    int seen = 0;
    for (const Lesson& lesson : room.controller().lessons())
      for (int screen = 1; screen <= int(lesson.screens.size()); ++screen) {
        room.session->dispatch(OpenLesson{lesson.number, screen});
        room.frames(5);
        const auto task = room.ui.rects.find("rail/task"), next = room.ui.rects.find("rail/next");
        if (!task || !next) continue;
        INFO(lesson.id << " " << screen << " at " << scale);
        const float top = room.rect("rail/title").y1, bottom = next->y0 - 7 * room.theme.s;
        CHECK(task->y0 >= top);
        if (task->height() < bottom - top - 20 * room.theme.s)
          CHECK(task->y1 <= bottom);
        else  // only the question fits
          CHECK(task->y0 <= top + 40 * room.theme.s);
        ++seen;
      }
    CHECK(seen > 60);
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

TEST_CASE("no line of a lesson's title has one word alone, and the names of the screens are below a short text") {
  Classroom room(1280, 720);
  room.session->dispatch(OpenLesson{1, 2});
  room.frames(4);
  const float title = room.rect("rail/title").width();
  const Font& font = room.theme.fonts.title;
  CHECK(title < draw::text_width(font, "Attention isn't slow, its memory"));
  CHECK(title >= draw::text_width(font, "Attention isn't slow,"));
  room.session->dispatch(OpenLesson{5, 1});
  room.frames(4);
  const std::size_t screens = room.session->lesson().lesson()->screens.size();
  for (std::size_t i = 1; i <= screens; ++i) {
    const draw::Rect name = room.rect("rail/title of screen " + std::to_string(i));
    CHECK(name.x1 <= room.layout.lesson_panel.x1);
    CHECK(name.y1 <= room.rect("rail/back").y0);
    CHECK(name.y0 > room.rect("rail/check").y1);
  }
  room.click_at("rail/title of screen 3");
  room.frames(2);
  CHECK(room.session->lesson().screen_place() == 2);
}
