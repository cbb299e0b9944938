// What people ask about FlashAttention and what articles claim: each with its verdict, an answer in a few sentences,
// the number that settles it, and the commands that open the view which shows it. Plain data of a Markdown file;
// figures are expressions and are never typed.
#pragma once

#include <string>
#include <vector>

#include "session/command/command.h"
#include "session/lesson/lesson.h"

namespace tilewalk {

enum class AnswerKind { Right, Partly, Wrong, Depends };  // what the claim is
const char* name_of(AnswerKind);                          // "right", "partly", "wrong", "it depends"

struct CommonQuestion {
  std::string ask;  // "Is it an approximation?"
  int line = 0;
  std::string claim;  // as people say it
  AnswerKind verdict{};
  Sentence says;              // the verdict in a sentence
  Prose answer;               // a few short sentences
  Sentence number;            // that settles it
  std::vector<Command> show;  // opens the view
  std::string shows;          // what is to be seen there
};

}  // namespace tilewalk
