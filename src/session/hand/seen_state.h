// A state as a learner may see it: each number, or the fact that it is hidden because work by hand asks for it. All
// code that writes numbers of a state on the screen, into text or into a film reads them here. state() has NaN for
// hidden numbers, so that nothing is computed from them by mistake; no text is made of that NaN.
#pragma once

#include <optional>

#include "core/values/state.h"
#include "session/hand/hidden_answers.h"

namespace tilewalk {

// A value, or the fact that it is hidden.
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
  SeenState(const State& state) : state_(&state) {}  // nothing is hidden
  SeenState(const State& state, const HiddenAnswers& hidden) : state_(&state), hidden_(&hidden) {}

  const State& state() const { return *state_; }
  operator const State&() const { return *state_; }
  bool hides_any() const { return hidden_ && hidden_->any(); }

  // `element`: row × columns + column in the array of the quantity. Precondition of at: the state has that array.
  bool hides(Quantity, std::size_t element) const;
  Shown<float> at(Quantity, std::size_t element) const;
  // m or ℓ of a row of the Q tile before the visit.
  Shown<float> before(Quantity, std::size_t row) const;
  // The score of any cell of the matrix, inside the current tile or outside.
  bool hides_score(std::int64_t row, std::int64_t col) const;
  bool hides_any_score() const { return hidden_ && hidden_->hides_cells(Quantity::S); }

 private:
  const State* state_;
  const HiddenAnswers* hidden_ = nullptr;
};

}  // namespace tilewalk
