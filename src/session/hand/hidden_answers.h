// The numbers of a state that are hidden while fields are open: each open field, and every number that its row computed
// from it since. Rows do not affect each other, except in dK and dV, which are sums over rows.
#pragma once

#include <set>
#include <vector>

#include "core/values/state.h"
#include "core/walk/schedule.h"
#include "session/hand/hand_asked.h"

namespace tilewalk {

class HiddenAnswers {
 public:
  HiddenAnswers() = default;
  // For the state after `at`; `open`: the open fields of any step.
  HiddenAnswers(const Schedule&, const Step& at, const std::vector<HandKey>& open);

  bool any() const { return !places_.empty() || !old_.empty() || !ahead_.empty(); }
  // A place without a column, of a quantity with columns: true if any of that row is hidden.
  bool hides(const HandPlace&) const;
  // The element of the state; a hidden row hides all its columns.
  bool hides_value(const HandPlace& place) const {
    return places_.count(place) > 0 || places_.count({place.quantity, place.row, -1}) > 0;
  }
  bool hides_old(Quantity, std::int64_t row) const;  // m, ℓ, O or a gradient before this visit
  bool hides_cells(Quantity) const;                  // any of S, P, dP or dS in the current tile
  void put_on(State&) const;                         // writes NaN over hidden numbers

 private:
  std::set<HandPlace> places_, old_;  // column −1: the whole row
  std::set<HandPlace> ahead_;         // open fields that the state does not contain yet
};

}  // namespace tilewalk
