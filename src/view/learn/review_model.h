// The review at the end of the lessons: the steps with wrong answers, each with a command that repeats it, and further
// reading. From the progress alone; progress of lessons that no longer exist is ignored.
#pragma once

#include <string>
#include <vector>

#include "session/lesson/lesson.h"
#include "session/lesson/progress.h"

namespace tilewalk {

struct ReviewStep {
  OpenLesson open;             // repeats the screen
  std::string lesson, screen;  // titles
  int tries = 0;               // wrong answers
  bool shown = false, right = false;
  std::string said;  // "3 wrong tries, then right"
};

struct Reading {
  const char* title;
  const char* source;  // "arXiv 2205.14135"
  int year;
  const char* look_for;
};
const std::vector<Reading>& readings();  // oldest first

struct ReviewModel {
  std::string opening;            // the progress in a sentence or two
  std::vector<ReviewStep> steps;  // most wrong tries first, then by lesson
  int right = 0, asked = 0;       // of all lessons
};

ReviewModel build_review_model(const std::vector<Lesson>&, const LessonsProgress&);

}  // namespace tilewalk
