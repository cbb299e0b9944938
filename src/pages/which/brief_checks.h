// The checks of a backend as rows of its card.
#pragma once

#include <vector>

#include "pages/which/which_model.h"

namespace tilewalk {

std::vector<WhichCheck> checks_of(const BackendAnswer&);
// One row for all routine checks that passed, one for all checks that were not reached. Of a refused backend what fails
// comes first, and one row has all that hold. all: checks_of().
std::vector<WhichCheck> brief_of(const BackendAnswer&, const std::vector<WhichCheck>& all);

}  // namespace tilewalk
