// A state as a learner may see it: each number, or the fact that it is hidden while it is asked for by hand. Whoever
// writes numbers of a state on the screen, into text or into a film takes them from here. What is hidden holds NaN in
// state(), so that nothing is computed from it by mistake; no text is made of that NaN.
#pragma once

#include <optional>

#include "core/values/state.h"
#include "session/hand/hidden_answers.h"

namespace tilewalk {

// A value that may be shown, or is hidden.
template <class T>
class Shown {
 public:
  Shown(T value) : value_(std::move(value)) {}
  static Shown hidden_value() { return Shown(); }
  bool hidden() const { return !value_; }
  const T& value() const { return *value_; }  // precondition: not hidden

 private:
  Shown() = default;
  std::optional<T> value_;
};

class SeenState {
 public:
  SeenState(const State& state) : state_(&state) {}  // nothing of it is hidden
  SeenState(const State& state, const HiddenAnswers& hidden) : state_(&state), hidden_(&hidden) {}

  const State& state() const { return *state_; }
  operator const State&() const { return *state_; }
  bool hides_any() const { return hidden_ && hidden_->any(); }

  // `element` of the array that holds the quantity: row × columns + column. Precondition of at: it is held.
  bool hides(Quantity, std::size_t element) const;
  Shown<float> at(Quantity, std::size_t element) const;
  // m or ℓ of a row of the Q tile as it was before the visit.
  Shown<float> before(Quantity, std::size_t row) const;
  // The score of any cell of the matrix, in the tile at hand or not.
  bool hides_score(std::int64_t row, std::int64_t col) const;
  bool hides_any_score() const { return hidden_ && hidden_->hides_cells(Quantity::S); }

 private:
  const State* state_;
  const HiddenAnswers* hidden_ = nullptr;
};

}  // namespace tilewalk
