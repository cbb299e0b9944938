// The window's loop: input, dispatch, prepare, draw, present, rest, until it is closed. run_window opens the window and
// returns an exit code; without a display it says so on stderr (code 4). What is chosen there of theme, size and pace
// goes to the settings file, what was done in lessons to the file of progress, what this machine was measured to reach
// to its own. `then` is carried out first.
#pragma once

#include "app/window/screen.h"
#include "session/document/opening.h"
#include "session/document/settings.h"

namespace tilewalk {

int run_window(Opening, const Settings&, KnownLessons, MeasuredMachine, const std::vector<Command>& then = {});

}  // namespace tilewalk
