// Commands carried out one after the other, as a person would give them: --then, lessons, tests.
#pragma once

#include <vector>

#include "base/result.h"
#include "session/session.h"

namespace tilewalk {

// In order, each with all the replay it asks for. Stops at the first that the session refuses, and says which and why.
Result<Done> carry_out(Session&, const std::vector<Command>&);

}  // namespace tilewalk
