// How to use the lessons in a class: for each minute the lesson, the task, the question and the print-out. Plain data
// of a TOML file in assets/classes; the file's name is the number of minutes. Invariants: the parts fill the minutes;
// each print-out is used by a part; print-outs are listed in the order of use.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"

namespace tilewalk {

struct ClassPart {
  std::int64_t minutes = 0;
  std::int64_t lesson = 0;  // 0: none
  std::string deed;
  std::vector<std::string> ask;
  std::string print;  // the name of a print-out; may be empty
};

enum class ClassSheet { Hand, Roofline, Lesson };  // a Q tile by hand, log-log paper, the teacher's page of a lesson

struct ClassPrint {
  std::string name;  // "A"
  ClassSheet sheet{};
  std::string preset, device;  // of Hand, of Roofline
  std::int64_t lesson = 0;
  std::uint64_t seed = 1;
  std::string copies;  // "one for two"
};

struct ClassPlan {
  std::string title, goal;
  std::int64_t minutes = 0;
  std::vector<std::string> before, after;
  std::vector<ClassPart> parts;
  std::vector<ClassPrint> prints;
};

Result<ClassPlan> parse_class_plan(std::string_view text, const std::string& name);
Result<ClassPlan> load_class_plan(const std::string& root, const std::string& minutes);  // an error lists all plans

}  // namespace tilewalk
