// The stated minutes of a lesson: near an estimate from its words, at 150 a minute, and its tasks. The seconds of a
// task by hand are those that a reader with a calculator took.
#include <cmath>
#include <map>
#include <sstream>

#include "session/lesson/lesson_file.h"
#include "tests/support/catch.h"

using namespace tilewalk;

namespace {

constexpr double kSecondsPerWord = 0.4;

std::string plain(const Sentence& sentence) {
  std::string out;
  for (const Run& run : sentence) out += run.figure ? "0" : run.text;
  return out;
}

double reading(const std::string& text) {
  std::istringstream words(text);
  std::string word;
  int count = 0;
  while (words >> word) ++count;
  return count * kSecondsPerWord;
}

double seconds_by_hand(const AskByHand& asked, std::int64_t d) {
  const std::map<Quantity, double> each{{Quantity::M, 10}, {Quantity::Alpha, 25}, {Quantity::L, 45}, {Quantity::O, 55},
                                        {Quantity::P, 22}, {Quantity::DS, 22},    {Quantity::D, 80}};
  double out = 0;
  for (const Quantity quantity : asked.ask.value_or(HandQuantities{})) {
    const bool many = quantity == Quantity::O || quantity == Quantity::P || quantity == Quantity::DS;
    out += each.at(quantity) * double(many ? d : 1);
  }
  return out;
}

double seconds_of(const LessonTask& task) {
  double out = reading(plain(task.ask));
  for (const TaskOption& option : task.options) out += reading(option.text);
  switch (task.kind) {
    case TaskKind::Choose: return out + 25;
    case TaskKind::Number: return out + 45;
    case TaskKind::Predict: return out + 40;
    case TaskKind::Order: return out + 45;
    case TaskKind::Label: return out + 35;
    case TaskKind::Do: return out + 35;
    case TaskKind::Draw: return out + 40 * double(task.marks.size());
    case TaskKind::ByHand: return out + seconds_by_hand(*task.by_hand, 4);
  }
  return out;
}

double minutes_of(const Lesson& lesson) {
  double out = 0;
  for (const LessonScreen& screen : lesson.screens) {
    for (const Prose* prose : {&screen.prose, &screen.after})
      for (const auto& paragraph : *prose) out += reading(plain(paragraph.runs));
    if (screen.task) out += seconds_of(*screen.task);
  }
  return out / 60;
}

}  // namespace

TEST_CASE("the minutes that a lesson states are near its words and tasks") {
  const Result<std::vector<Lesson>> lessons = load_lessons(TILEWALK_SOURCE_DIR "/assets/lessons");
  REQUIRE(lessons.ok());
  for (const Lesson& lesson : *lessons) {
    const double expected = minutes_of(lesson);
    CAPTURE(lesson.id, lesson.minutes, expected);
    CHECK(std::fabs(lesson.minutes - expected) <= std::max(1.5, 0.25 * expected));
  }
}
