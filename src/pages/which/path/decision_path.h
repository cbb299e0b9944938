// The decision as a path: a branch for each backend in PyTorch's order, and on it the conditions in the order in which
// PyTorch asks them. Consecutive conditions on one topic are one stop.
#pragma once

#include <vector>

#include "pages/which/which_model.h"

namespace tilewalk {

std::vector<WhichCheck> checks_of(const BackendAnswer&);
std::vector<PathStop> stops_of(const std::vector<WhichCheck>&);

void put_reason(WhichCard&);  // why the backend runs or does not, from its other fields

// What a check asks for, with the call's value where the check refused the call.
std::string check_text(const WhichCheck&);

}  // namespace tilewalk
