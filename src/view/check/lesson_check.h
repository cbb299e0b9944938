// Plays a lesson without a window, through the same Commands as a person. Checks that each scene opens, each figure has
// a value, each right answer passes and is not visible beside its question (view/check/answer_in_view.h), and each
// named wrong answer differs from the right one and from the others and gets its own reply. Each fault names the file
// and the line.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "session/session.h"

namespace tilewalk {

struct LessonCheck {
  int number = 0;
  std::string id, title;
  int actions = 0, passed = 0, failed = 0;
  int diagnoses = 0;                // wrong answers that are recognised
  std::vector<std::string> faults;  // one line each
};

using NewSession = std::function<std::unique_ptr<Session>()>;  // makes a session that has the lessons, at its start

LessonCheck check_lesson(const Lesson&, const NewSession&);

}  // namespace tilewalk
