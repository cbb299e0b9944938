// What must not be seen of a state while numbers are asked for: each open number itself, and what its row made from it
// since, through the phases of the walk. Followed as a walk does: what a phase reads that is hidden hides what the
// phase makes. Other rows know nothing of it, but for dK and dV, which are summed over rows.
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
  // Of the state after `at`, where `open` are the numbers still asked for, of any step.
  HiddenAnswers(const Schedule&, const Step& at, const std::vector<HandKey>& open);

  bool any() const { return !places_.empty() || !old_.empty() || !ahead_.empty(); }
  // A place without a column, of a quantity with columns: whether any of that row is hidden.
  bool hides(const HandPlace&) const;
  // The value that the state holds there; a hidden row hides all its columns.
  bool hides_value(const HandPlace& place) const {
    return places_.count(place) > 0 || places_.count({place.quantity, place.row, -1}) > 0;
  }
  bool hides_old(Quantity, std::int64_t row) const;  // m, ℓ, O or a gradient as it was before this visit
  bool hides_cells(Quantity) const;                  // any of S, P, dP or dS in the tile at hand
  void put_on(State&) const;                         // NaN in place of what is hidden

 private:
  std::set<HandPlace> places_, old_;  // column −1: the whole row
  std::set<HandPlace> ahead_;         // asked for, and not in the state yet
};

}  // namespace tilewalk
