// Common questions about FlashAttention and claims of articles. Each has a verdict, an answer in a few sentences, the
// number that proves it, and the commands that open a view which shows it. Plain data of a Markdown file; figures are
// expressions and are never typed.
#pragma once

#include <string>
#include <vector>

#include "session/command/command.h"
#include "session/lesson/lesson.h"

namespace tilewalk {

enum class AnswerKind { Right, Partly, Wrong, Depends };  // of the claim
const char* name_of(AnswerKind);                          // "right", "partly", "wrong", "it depends"

struct CommonQuestion {
  std::string ask;  // "Is it an approximation?"
  int line = 0;
  std::string claim;  // as people say it
  std::string about;  // more words that lead to it; may be empty
  AnswerKind verdict{};
  Sentence says;              // the verdict in a sentence
  Prose answer;               // a few short sentences
  Sentence number;            // the proof
  std::vector<Command> show;  // opens the view
  std::string shows;          // what the view shows
};

}  // namespace tilewalk
