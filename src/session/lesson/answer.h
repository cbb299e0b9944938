// Compares a typed or assembled answer with a lesson's task. The result is right, or wrong with the mistake that it
// shows, if known: one that the lesson names, or a common slip of units.
// Forms: a number, alone or with a unit (base/typed_quantity); for Choose the option's letter; for Order and Label the
// letters in order; for Draw and MarkTiles see roof_marks and marked_tiles.
#pragma once

#include <string>
#include <vector>

#include "session/lesson/facts.h"
#include "session/lesson/lesson.h"

namespace tilewalk {

enum class AnswerVerdict {
  Right,
  Wrong,
  Unread,   // not an answer: a word instead of a number
  Unknown,  // the right answer has no value now; an error in the lesson
};

struct CheckedAnswer {
  AnswerVerdict verdict = AnswerVerdict::Wrong;
  Sentence says;     // the lesson's text about it; may be empty
  std::string slip;  // the error that the program recognises; may be empty
  bool operator==(const CheckedAnswer&) const = default;
};

CheckedAnswer check_answer(const LessonTask&, const std::string& text, const Facts&);

// The right answer as a person types it; empty where it has no value.
std::string right_answer(const LessonTask&, const Facts&);

// The position in task.options at each place on screen at the start. Never the right order.
std::vector<int> shuffled(const LessonTask&);
std::string letter_of(int place);  // "a", "b", …

// True if the number is the answer of the method that the task's lesson teaches. Its size differs from the right one,
// since a method on paper is not exact, but it is no mistake.
bool is_by_method(const LessonTask&, double value, const Facts&);

// True if the number counts as that answer: equal to two digits, or within the task's tolerance.
bool stands(const LessonTask&, double typed, double right);

}  // namespace tilewalk
