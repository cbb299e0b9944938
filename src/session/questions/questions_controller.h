// The common questions: the chosen one, and the facts for the figures. Facts are of a fixed plain problem, so that an
// answer does not depend on the screen.
#pragma once

#include <functional>
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

  struct Sources {  // facts that are not of the plain problem
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
  void read();  // reads the questions once; reports errors in them

  const std::vector<CommonQuestion>& questions() const { return questions_; }  // none before read()
  int chosen() const { return chosen_; }                                       // from 0; −1: none
  const Facts& facts() const { return facts_; }                                // precondition: read()
  const Problem& problem() const { return plain_.problem; }

  void carry_out(const ChooseQuestion&);

 private:
  RooflineController& roofline_;  // source of the recorded times
  MessageLine& messages_;
  Load load_;  // empty after read()
  std::vector<CommonQuestion> questions_;
  int chosen_ = -1;
  Document plain_;
  MessageLine unheard_;
  WalkController walk_{plain_, unheard_, {}};
  Facts facts_;
};

}  // namespace tilewalk
