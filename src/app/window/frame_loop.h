// The window's loop until it is closed: input, dispatch, prepare, draw, present, rest. run_window opens the window and
// returns an exit code; without a display it reports that on stderr (code 4). Choices of theme, size and pace are
// written to the settings file, answers in lessons to the progress file, measured rates of this machine to a file of
// their own. `then` is executed first.
#pragma once

#include "app/window/screen.h"
#include "session/document/opening.h"
#include "session/document/settings.h"

namespace tilewalk {

int run_window(Opening, const Settings&, KnownLessons, MeasuredMachine, const std::vector<Command>& then = {});

}  // namespace tilewalk
