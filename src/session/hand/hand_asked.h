// Which numbers a step makes that a person can work out, by the ledger of phases. The steps of a tile visit, or of the
// edge of a group (before its first visit, after its last), belong together: a HandUnit. What was made earlier in it
// stays asked until it is right.
#pragma once

#include <vector>

#include "core/walk/schedule.h"
#include "session/hand/hand_field.h"

namespace tilewalk {

struct HandUnit {
  std::int64_t first = 0, end = 0;  // steps
};
HandUnit unit_of(const Schedule&, const Step&);

HandQuantities asked_of(const Problem&, const Step&);

struct HandKey {  // one number of one step
  std::int64_t made_at = 0;
  HandPlace place;
  auto operator<=>(const HandKey&) const = default;
};

// Of the rows and quantities wished for, what to ask when `step` is on screen, in the order of Tab. Where P is not
// wished for, what stands in the table is asked as soon as its first number is made, up to the end of the visit.
std::vector<HandKey> asked_at(const Schedule&, const Step&, const std::vector<std::int64_t>& rows,
                              const HandQuantities& wished);

}  // namespace tilewalk
