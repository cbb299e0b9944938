// Executes commands one after the other, as a person would give them: --then, lessons, tests.
#pragma once

#include <vector>

#include "base/result.h"
#include "session/session.h"

namespace tilewalk {

// Executes them in order, each with all its replay. Stops at the first that the session refuses; the error says which
// and why.
Result<Done> carry_out(Session&, const std::vector<Command>&);

}  // namespace tilewalk
