// An answer as it was typed or put together, compared with a lesson's task: right, or wrong and, where it can be told,
// which mistake it shows: one that the lesson names, or a slip of units that everybody makes.
// Forms: a number with or without its unit; of Choose the option's letter; of Order and Label the letters in order.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "session/lesson/facts.h"
#include "session/lesson/lesson.h"

namespace tilewalk {

enum class AnswerVerdict {
  Right,
  Wrong,
  Unread,   // is no answer at all: a word where a number is asked
  Unknown,  // the right answer cannot be told here; a fault of the lesson
};

struct CheckedAnswer {
  AnswerVerdict verdict = AnswerVerdict::Wrong;
  Sentence says;     // the lesson's own words on it; may be empty
  std::string slip;  // what is wrong with it by the program's own knowledge; may be empty
  bool operator==(const CheckedAnswer&) const = default;
};

CheckedAnswer check_answer(const LessonTask&, const std::string& text, const Facts&);

// The right answer as it would be typed; empty where it cannot be told.
std::string right_answer(const LessonTask&, const Facts&);

// Bytes, or a plain number, out of "256 MiB", "1,5e3", "0.92"; a word of the task's own unit may follow.
std::optional<double> typed_quantity(const std::string& text, const std::string& unit);

// What stands at each place on screen before anything is moved: positions in task.options. Never in order.
std::vector<int> shuffled(const LessonTask&);
std::string letter_of(int place);  // "a", "b", …

// Whether a number stands as that answer: to two digits, or as near as the task says.
bool stands(const LessonTask&, double typed, double right);

}  // namespace tilewalk
