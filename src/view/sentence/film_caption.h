// A step of the walk in the film: few enough words to be read while the step plays, for 0.6 to 1 s.
#pragma once

#include <string>

#include "core/values/state.h"
#include "core/walk/schedule.h"

namespace tilewalk {

// "O shrinks × 0.16". whole_visits: each step of a tile visit has the same words, "Q2 meets K".
std::string film_caption(const Schedule&, const State&, bool whole_visits);

}  // namespace tilewalk
