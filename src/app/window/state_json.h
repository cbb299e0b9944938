// A session as a small JSON object, for scripts and tests that drive the window from outside.
#pragma once

#include <cstdint>

#include "app/cli/output.h"
#include "session/session.h"

namespace tilewalk {

Json state_json(const Session&, std::uint64_t frames_drawn);

}  // namespace tilewalk
