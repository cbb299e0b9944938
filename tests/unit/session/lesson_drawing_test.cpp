// Tasks that are drawn or put in order: marks on the axes of a roofline, and slips of an order.
#include "session/lesson/lesson_file.h"
#include "session/lesson/roof_marks.h"
#include "session/session.h"
#include "tests/support/catch.h"

using namespace tilewalk;

namespace {

constexpr const char* kDrawingLesson = R"(# A title

```lesson
number = 5
phase = "First"
claim = "A claim."
minutes = 3
```

## Draw

In the window.

```terminal
In the terminal.
```

```draw
ask = "Draw the roof and the point."
hints = ["First."]
[[mark]]
name = "slope"
kind = "slope"
y = "4"
[[mark.wrong]]
y = "4.8"
says = "That is the data sheet's."
[[mark]]
name = "P"
kind = "ceiling"
y = "800"
given = true
[[mark]]
name = "naive"
x = "32"
y = "128"
[[mark.wrong]]
x = "64"
says = "That is d, not half of it."
[[mark.wrong]]
x = "32"
y = "800"
says = "It lies on the slope."
```

## Order

```order
ask = "In order?"
says = "Each needs an earlier one."
[[option]]
text = "m"
[[option]]
text = "alpha"
[[option]]
text = "P"
with_previous = true
[[option]]
text = "l"
[[slip]]
early = "P"
late = "m"
says = "P needs m."
```
)";

std::unique_ptr<Session> drawing_session(int screen) {
  Result<Lesson> lesson = parse_lesson(kDrawingLesson, "05-one.md");
  INFO((lesson ? "" : text_of(lesson.issues())));
  REQUIRE(lesson.ok());
  SessionSetup setup;
  setup.load_lessons = [lesson] { return std::vector{*lesson}; };
  auto session = std::move(*Session::open({}, std::move(setup)));
  session->dispatch(OpenLesson{5, screen});
  return session;
}

CheckedAnswer reply_to(Session& session, const std::string& text) {
  session.dispatch(CheckAnswer{text});
  REQUIRE(session.lesson().checked());
  return *session.lesson().checked();
}

std::string words_of_runs(const Sentence& says) {
  std::string out;
  for (const Run& run : says) out += run.text;
  return out;
}

std::string refused_drawing(std::string from, const std::string& to) {
  std::string text = kDrawingLesson;
  text.replace(text.find(from), from.size(), to);
  const Result<Lesson> lesson = parse_lesson(text, "05-one.md");
  REQUIRE_FALSE(lesson.ok());
  return text_of(lesson.issues());
}

// The letter of an option, as the screen shows them.
std::string letters_for(const Session& session, const std::vector<std::string>& wanted) {
  const LessonTask& task = *session.lesson().screen().task;
  const std::vector<int> shown = shuffled(task);
  std::string out;
  for (const std::string& text : wanted)
    for (std::size_t i = 0; i < shown.size(); ++i)
      if (task.options[std::size_t(shown[i])].text == text) out += letter_of(int(i)) + " ";
  return out;
}

}  // namespace

TEST_CASE("marks are placed one at a time, and the drawing is right once all are") {
  const auto session = drawing_session(1);
  const CheckedAnswer first = reply_to(*session, "slope 4.1");
  CHECK(first.verdict == AnswerVerdict::Unread);
  CHECK(first.slip == "Right: slope. To place: naive.");
  CHECK_FALSE(session->lesson().done());
  CHECK(reply_to(*session, "NAIVE 32 130").verdict == AnswerVerdict::Right);
  CHECK(session->lesson().done());
  CHECK(session->lesson().draft() == "slope 4.1; naive 32 130");
}

TEST_CASE("a unit may follow the number of a mark") {
  const auto session = drawing_session(1);
  for (const char* text : {"slope 4.1 TB/s", "slope: 4.1", "slope = 4.1 TB/s"})
    CHECK(reply_to(*session, text).slip == "Right: slope. To place: naive.");
  CHECK(reply_to(*session, "naive 32 FLOP per byte 130 TFLOP/s").verdict == AnswerVerdict::Right);
}

TEST_CASE("each wrong place of a mark is told, by its name or by its distance") {
  const auto session = drawing_session(1);
  CHECK(words_of_runs(reply_to(*session, "slope 4.8").says) == "That is the data sheet's.");
  CHECK(words_of_runs(reply_to(*session, "slope 4; naive 64 128").says) == "That is d, not half of it.");
  CHECK(words_of_runs(reply_to(*session, "naive 32 800").says) == "It lies on the slope.");
  CHECK(reply_to(*session, "naive 32 64").slip == "naive: its height is 2.0 times too small.");
  CHECK(reply_to(*session, "naive 320 128").slip == "naive: its FLOP per byte is 10.0 times too large.");
  CHECK(session->lesson().task().tries == 5);
  CHECK_FALSE(session->lesson().done());
}

TEST_CASE("text that names no mark is answered with the form, and nothing that was placed is lost") {
  const auto session = drawing_session(1);
  reply_to(*session, "slope 4");
  for (const char* text : {"4", "roof 4", "slope", "slope four", "naive 32", "slope 4 5", "slope -1", "P 800"}) {
    CAPTURE(text);
    const CheckedAnswer answer = reply_to(*session, text);
    CHECK(answer.verdict == AnswerVerdict::Unread);
    CHECK_FALSE(answer.slip.empty());
    CHECK(session->lesson().draft() == "slope 4");
  }
  CHECK(session->lesson().task().tries == 0);
}

TEST_CASE("the answer of a drawing can be shown, and is there when the screen is opened again") {
  const auto session = drawing_session(1);
  session->dispatch(Action::LessonAnswer);
  CHECK(session->lesson().done());
  CHECK(session->lesson().draft() == "slope 4; naive 32 128");
  session->dispatch(Action::NextScreen);
  session->dispatch(Action::PreviousScreen);
  CHECK(session->lesson().draft() == "slope 4; naive 32 128");
}

TEST_CASE("a screen has its own text for a terminal") {
  const auto session = drawing_session(1);
  CHECK(words_of_runs(session->lesson().screen().prose.front().runs) == "In the window.");
  CHECK(words_of_runs(session->lesson().screen().terminal.front().runs) == "In the terminal.");
}

TEST_CASE("options that may change places stand in either order, and a named slip is told") {
  const auto session = drawing_session(2);
  CHECK(reply_to(*session, letters_for(*session, {"m", "alpha", "P", "l"})).verdict == AnswerVerdict::Right);
  CHECK(reply_to(*session, letters_for(*session, {"m", "P", "alpha", "l"})).verdict == AnswerVerdict::Right);
  CHECK(reply_to(*session, letters_for(*session, {"m", "l", "alpha", "P"})).verdict == AnswerVerdict::Wrong);
  CHECK(words_of_runs(reply_to(*session, letters_for(*session, {"P", "m", "alpha", "l"})).says) == "P needs m.");
  CHECK(words_of_runs(reply_to(*session, letters_for(*session, {"alpha", "m", "P", "l"})).says) ==
        "Each needs an earlier one.");
}

TEST_CASE("a block of marks or slips is refused with the place of its error") {
  CHECK(refused_drawing("name = \"naive\"", "name = \"naive one\"").find("must be one word") != std::string::npos);
  CHECK(refused_drawing("kind = \"slope\"", "kind = \"slop\"").find("not a kind of mark") != std::string::npos);
  CHECK(refused_drawing("late = \"m\"", "late = \"n\"").find("not the text of an option") != std::string::npos);
  CHECK(refused_drawing("early = \"P\"\nlate = \"m\"", "early = \"m\"\nlate = \"P\"").find("must belong after") !=
        std::string::npos);
}
