// Which mistakes explain the wrong visits of a run: one, or two at once.
#pragma once

#include <optional>
#include <utility>
#include <vector>

#include "lab/judge/slips.h"

namespace tilewalk {

using NumberedVisits = std::vector<std::pair<std::int64_t, WrongVisit>>;  // by their numbers, from 0

struct VisitMistakes {
  std::optional<Diagnosis> first;   // of the first wrong visit; none: no known mistake, and no two, explain it
  std::optional<Diagnosis> second;  // of a later visit, or of the same; without a name: one remains that has none
};

// The slip that explains all rows of the first of these visits, and most of the others; null if none does.
const Slip* explaining_slip(const JudgedInputs&, const NumberedVisits&, std::int64_t bc);

VisitMistakes mistakes_of(const JudgedInputs&, const NumberedVisits&, std::int64_t bc);

}  // namespace tilewalk
