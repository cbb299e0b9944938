// The questions that people ask: which one's answer is told, and the facts that its figures are of. They are asked of a
// plain problem of its own, so that an answer stays the same whatever is on screen.
#pragma once

#include <functional>
#include <memory>
#include <vector>

#include "pages/roofline/roofline_controller.h"
#include "session/command/command.h"
#include "session/document/message_line.h"
#include "session/lesson/facts.h"
#include "session/questions/question.h"

namespace tilewalk {

class QuestionsController {
 public:
  using Load = std::function<Result<std::vector<CommonQuestion>>()>;

  struct Sources {  // beside the plain problem: what times and rules are known
    const CompareController& compare;
    RooflineController& roofline;
    const WhichController& which;
    const TreeController& tree;
  };

  QuestionsController(Sources of, MessageLine& messages, Load load)
      : roofline_(of.roofline),
        messages_(messages),
        load_(std::move(load)),
        facts_({plain_, walk_, of.compare, of.roofline, of.which, of.tree}) {}
  void read();  // once; what is wrong with them is said

  const std::vector<CommonQuestion>& questions() const { return questions_; }  // none before they were read
  int chosen() const { return chosen_; }                                       // from 0; −1: none
  const Facts& facts() const { return facts_; }                                // precondition: they were read
  const Problem& problem() const { return plain_.problem; }

  void carry_out(const ChooseQuestion&);

 private:
  RooflineController& roofline_;  // which has the recorded times
  MessageLine& messages_;
  Load load_;  // empty once they were read
  std::vector<CommonQuestion> questions_;
  int chosen_ = -1;
  Document plain_;
  MessageLine unheard_;
  WalkController walk_{plain_, unheard_, {}};
  Facts facts_;
};

}  // namespace tilewalk
