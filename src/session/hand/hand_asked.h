// The numbers of a step that can become fields of work by hand, from the ledger of phases. The steps of a tile visit,
// or of a group's prologue or epilogue, form a HandUnit. A number computed earlier in the unit stays a field until it
// is right.
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

// The fields for these rows and quantities while the step is shown, in the order of Tab. Without P among the
// quantities, all quantities of the softmax table become fields as soon as the first of them is computed, up to the end
// of the visit. No quantities: all.
std::vector<HandKey> asked_at(const Schedule&, const Step&, const std::vector<std::int64_t>& rows,
                              const HandQuantities& wanted);

}  // namespace tilewalk
