// The marks of a draw task: a roof's slope and ceiling, and points, which a person places on the axes of a roofline.
// Across: FLOP per byte; up: TFLOP/s. A slope of B TB/s passes through (1, B). As text, of the draft and of a typed
// answer: "slope 4.3; ceiling 800; naive 32 140".
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "session/lesson/answer.h"

namespace tilewalk {

struct PlacedMark {
  double x = 1, y = 0;  // x: of points alone
  bool operator==(const PlacedMark&) const = default;
};
using PlacedMarks = std::vector<std::optional<PlacedMark>>;  // by mark of the task; empty: not placed yet

struct ReadMarks {
  PlacedMarks marks;
  std::string error;  // why the text cannot be read; else empty
};
ReadMarks placed_marks(const LessonTask&, const std::string& text);
std::string text_of_marks(const LessonTask&, const PlacedMarks&);

// The draft after a person typed some marks: they replace those of their names.
std::string with_marks(const LessonTask&, const std::string& draft, const std::string& typed);

struct JudgedMark {
  bool right = false;
  Sentence says;     // the lesson's text about it; may be empty
  std::string slip;  // how far off it is; empty where the lesson has a text
};
JudgedMark judged(const LessonTask&, std::size_t mark, const PlacedMark&, const Facts&);

std::optional<PlacedMark> right_place(const RoofMark&, const Facts&);  // empty: it has no value now
std::string words_of(const RoofMark&, const PlacedMark&);              // "4.28 TB/s", "32 FLOP/byte, 137 TFLOP/s"

CheckedAnswer check_marks(const LessonTask&, const std::string& text, const Facts&);
std::string right_marks(const LessonTask&, const Facts&);

}  // namespace tilewalk
