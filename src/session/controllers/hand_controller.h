// Work by hand: which numbers of the current tile visit are fields, the answers so far, and which numbers stay hidden.
// A number becomes a field when its step is shown. Until it is right or its answer is shown, all that its row computes
// from it is hidden, at later steps too. A number that was visible before it became a field stays visible. Only for
// problems of hand size (hand/hand_size.h), and without a deliberate mistake. In the visit in which work by hand is
// switched on, earlier steps make no fields. seen() is the current state with the hidden numbers marked; the screen is
// built from it.
#pragma once

#include <map>
#include <memory>
#include <optional>
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

  const std::vector<HandField>& fields() const { return fields_; }  // of the current visit, in the order of Tab
  const HandField* field(const HandPlace&) const;                   // null if it is not a field of the current visit
  const HandField* focused() const { return focus_ ? field(*focus_) : nullptr; }
  const HandField* first_open() const;  // neither right nor shown; null where there is none
  std::string prompt() const { return focused() ? prompt_of_field(*focused()) : ""; }
  std::string prompt_of_field(const HandField&) const;  // the sources of that number
  bool all_right() const;                               // each current field is right or shown
  int open() const;                                     // number of current fields that are neither
  int tries_wrong() const { return tries_wrong_; }      // since work by hand was switched on
  int shown() const { return shown_; }

  // True if the current state must not show that number. For a quantity with columns, col -1 means any column.
  bool hidden(const HandPlace&) const;
  bool hidden(Quantity quantity, std::int64_t row, std::int64_t col = -1) const {
    return hidden(HandPlace{quantity, row, col});
  }
  bool hides() const { return on() && hidden_answers_.any(); }
  const HiddenAnswers& hidden_answers() const { return hidden_answers_; }
  SeenState seen() const { return hides() ? SeenState(seen_, hidden_answers_) : SeenState(walk_.state()); }

  // Called after every command: the step or the problem may be another.
  bool follow(std::uint64_t problem_revision);  // true if the fields or the hidden numbers changed

  void work_by_hand();  // switches on with one row and every quantity, or off
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
  void look();  // updates what is hidden now
  void rewrite_words(HandField&);

  const Document& document_;
  const WalkController& walk_;
  MessageLine& messages_;
  HandRows rows_;
  HandQuantities quantities_;
  std::map<HandKey, HandField> asked_;  // every field of this problem so far
  std::vector<HandField> fields_;
  std::optional<HandPlace> focus_;
  std::unique_ptr<HandValues> values_;
  HiddenAnswers hidden_answers_;
  State seen_;  // the current state, with NaN for hidden numbers
  std::uint64_t problem_revision_ = ~0ull;
  std::int64_t cursor_ = -1, selected_ = -1;
  std::int64_t unit_ = -1, asked_from_ = 0;  // first step of the current visit, and the first step that makes fields
  bool begins_ = false;                      // earlier steps make no fields
  int tries_wrong_ = 0, shown_ = 0;
};

}  // namespace tilewalk
