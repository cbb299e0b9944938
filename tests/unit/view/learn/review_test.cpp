// The last page: mistakes on the way, and encouraging text where there were none.
#include "tests/support/catch.h"
#include "view/learn/review_model.h"

using namespace tilewalk;

namespace {

LessonScreen screen(const char* title, bool asks) {
  LessonScreen out;
  out.title = title;
  if (asks) out.task = LessonTask{};
  return out;
}

std::vector<Lesson> two_lessons() {
  Lesson a, b;
  a.number = 3, a.id = "a", a.title = "The first";
  a.screens = {screen("words", false), screen("one", true), screen("two", true)};
  b.number = 7, b.id = "b", b.title = "The second";
  b.screens = {screen("three", true), screen("four", true)};
  return {a, b};
}

}  // namespace

TEST_CASE("the questions with most tries come first, by lesson and screen, and can be opened again") {
  LessonsProgress progress;
  progress["a"].tasks = {{2, {.tries = 1, .right = true}}, {3, {.right = true}}};
  progress["b"].tasks = {{1, {.shown = true}}, {2, {.tries = 4}}};
  progress["gone"].tasks = {{1, {.tries = 9}}};
  const ReviewModel m = build_review_model(two_lessons(), progress);
  REQUIRE(m.steps.size() == 3);
  CHECK(m.steps[0].open == OpenLesson{7, 2});
  CHECK(m.steps[0].said == "4 wrong tries, not right yet");
  CHECK(m.steps[1].open == OpenLesson{3, 2});
  CHECK(m.steps[1].said == "1 wrong try, then right");
  CHECK(m.steps[1].screen == "one");
  CHECK(m.steps[2].said == "shown to you");
  CHECK(m.steps[2].lesson == "The second");
  CHECK(m.right == 2);
  CHECK(m.asked == 4);
  CHECK(m.opening.starts_with("2 of 4 questions are right"));
}

TEST_CASE("a guess with a large error is offered again") {
  LessonsProgress progress;
  progress["a"].tasks = {{2, {.right = true, .miss = -0.4}}, {3, {.right = true, .miss = 0.1}}};
  const ReviewModel m = build_review_model(two_lessons(), progress);
  REQUIRE(m.steps.size() == 1);
  CHECK(m.steps[0].said == "your guess was 40 % low");
}

TEST_CASE("without any work or any mistake the page says so") {
  CHECK(build_review_model(two_lessons(), {}).opening.starts_with("Nothing was answered yet"));
  LessonsProgress progress;
  progress["a"].tasks = {{2, {.right = true}}};
  const ReviewModel some = build_review_model(two_lessons(), progress);
  CHECK(some.steps.empty());
  CHECK(some.opening.starts_with("Nothing went wrong so far: 1 of 4"));
  progress["a"].tasks[3].right = progress["b"].tasks[1].right = progress["b"].tasks[2].right = true;
  CHECK(build_review_model(two_lessons(), progress).opening == "All 4 questions are right, each at the first try.");
}

TEST_CASE("the reading list has the papers, oldest first") {
  int year = 0;
  std::string sources;
  for (const Reading& reading : readings()) {
    CHECK(reading.year >= year);
    year = reading.year;
    sources += std::string(reading.source) + "\n";
  }
  for (const char* paper : {"1805.02867", "2205.14135", "2307.08691", "2407.08608"})
    CHECK(sources.find(paper) != std::string::npos);
}
