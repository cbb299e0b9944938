// The questions as text: verdict, answer with its figures, the number that proves it, and the command that shows it.
#pragma once

#include <string>
#include <vector>

#include "session/questions/questions_controller.h"
#include "view/learn/lesson_panel_model.h"

namespace tilewalk {

struct QuestionEntry {
  int number = 0;                 // from 1
  std::string ask, claim, about;  // about: more words that lead to it
  AnswerKind verdict{};
  LessonLine says, settles;  // the verdict in a sentence; the number
  std::vector<LessonLine> answer;
  std::vector<Command> show;
  std::string shows;
  bool chosen = false;
};
std::vector<QuestionEntry> build_questions(const QuestionsController&);

// True if the question, its claim or its answer contains the words, or each of them in another form.
bool speaks_of(const QuestionEntry&, const std::string& words);

}  // namespace tilewalk
