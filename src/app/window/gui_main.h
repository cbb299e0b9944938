// The window: opens, loops until it is closed, returns an exit code. Without a display it says so on stderr (code 4).
// If the environment names a file in TILEWALK_STATE_FILE, a line of JSON about the session is written there after every
// change, for scripts and tests that drive the window from outside.
#pragma once

#include "session/opening.h"

namespace tilewalk {

int run_window(const Opening&);

}  // namespace tilewalk
