// A session as scripts and tests see it that drive the window from outside: a small object of JSON.
#pragma once

#include <cstdint>

#include "app/cli/output.h"
#include "session/session.h"

namespace tilewalk {

Json state_json(const Session&, std::uint64_t frames_drawn);

}  // namespace tilewalk
