// Work by hand: which numbers of the tile visit at hand are asked for, what was answered, and what must stay hidden
// until then. A number is asked from the moment its step is on screen; until it is right or shown, all of its row that
// is made from it stays hidden, at later steps too. What was on screen before it was asked is not taken back. Problems
// of hand size alone (hand/hand_size.h), and without a mistake made on purpose. Within a visit, what lies before
// the step where it was switched on is not asked. seen() is the state at hand as it may be seen: what the screen is
// built from.
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <set>
#include <vector>

#include "session/command/command.h"
#include "session/controllers/walk_controller.h"
#include "session/document/message_line.h"
#include "session/hand/hand_field.h"
#include "session/hand/hand_values.h"
#include "session/hand/seen_state.h"

namespace tilewalk {

class HandController {
 public:
  HandController(const Document& document, const WalkController& walk, MessageLine& messages)
      : document_(document), walk_(walk), messages_(messages) {}

  bool on() const { return rows_.kind != HandRows::None; }
  const HandRows& rows() const { return rows_; }
  const HandQuantities& quantities() const { return quantities_; }  // empty: all

  const std::vector<HandField>& fields() const { return fields_; }  // of the visit at hand, in the order of Tab
  const HandField* field(const HandPlace&) const;                   // at hand; null if that is not asked here
  const HandField* focused() const { return focus_ ? field(*focus_) : nullptr; }
  const HandField* first_open() const;              // at hand, neither right nor shown; null where all stand
  std::string prompt() const;                       // what the one with the focus is made of
  bool all_right() const;                           // each field at hand is right or shown
  int open() const;                                 // how many are not
  int tries_wrong() const { return tries_wrong_; }  // since work by hand was switched on
  int shown() const { return shown_; }

  // At the state at hand: whether that number must not be seen. Of a quantity with columns, col -1 asks for any.
  bool hidden(const HandPlace&) const;
  bool hidden(Quantity quantity, std::int64_t row, std::int64_t col = -1) const {
    return hidden(HandPlace{quantity, row, col});
  }
  bool hides() const { return on() && hidden_answers_.any(); }
  const HiddenAnswers& hidden_answers() const { return hidden_answers_; }
  SeenState seen() const { return hides() ? SeenState(seen_, hidden_answers_) : SeenState(walk_.state()); }

  // After every command: what stands on screen may be another step, or another problem.
  bool follow(std::uint64_t problem_revision);  // true if something else is asked or hidden now

  void work_by_hand();  // on with one row and everything, or off
  void carry_out(const AskByHand&);
  void carry_out(const AnswerField&);
  void carry_out(const HintField&);
  void carry_out(const ShowField&);
  void carry_out(const FocusField&);

 private:
  HandField* at(const HandPlace&);
  std::vector<std::int64_t> rows_at_hand() const;
  void ask();
  void keep(const HandField&);
  void settle(HandField&, HandState);
  void focus_on_next(const HandPlace& after);
  bool refused();
  void stop();
  void look();  // at what must be hidden now
  void tell_again(HandField&);

  const Document& document_;
  const WalkController& walk_;
  MessageLine& messages_;
  HandRows rows_;
  HandQuantities quantities_;
  std::map<HandKey, HandField> asked_;  // everything that was ever asked of this problem
  std::vector<HandField> fields_;
  std::optional<HandPlace> focus_;
  std::unique_ptr<HandValues> values_;
  HiddenAnswers hidden_answers_;
  State seen_;  // the state at hand, with NaN where something is hidden
  std::uint64_t problem_revision_ = ~0ull;
  std::int64_t cursor_ = -1, selected_ = -1;
  std::int64_t unit_ = -1, asked_from_ = 0;  // where the visit at hand begins, and from where on it is asked
  bool begins_ = false;                      // what was seen before is not asked
  int tries_wrong_ = 0, shown_ = 0;
};

}  // namespace tilewalk
