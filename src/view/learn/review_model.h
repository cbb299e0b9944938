// The last page of the path: what went wrong on the way, with a way to take each of those steps again, and what to read
// next. From the progress alone; progress of lessons that are no longer there is passed over.
#pragma once

#include <string>
#include <vector>

#include "session/lesson/lesson.h"
#include "session/lesson/progress.h"

namespace tilewalk {

struct ReviewStep {
  OpenLesson open;             // again
  std::string lesson, screen;  // titles
  int tries = 0;               // wrong ones
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
  std::string opening;            // how far one is, in a sentence or two
  std::vector<ReviewStep> steps;  // most wrong tries first, then by lesson
  int right = 0, asked = 0;       // of all lessons that there are
};

ReviewModel build_review_model(const std::vector<Lesson>&, const LessonsProgress&);

}  // namespace tilewalk
