// The location of assets/, kernels/ and shaders/: the folder in the environment variable TILEWALK_ROOT; else
// ../share/tilewalk of an installed program; else the nearest folder above the program that contains assets/presets;
// else, for a program built outside its source, that source. Links to the program are resolved first.
#pragma once

#include <string>

#include "base/result.h"
#include "session/session.h"

namespace tilewalk {

Result<std::string> find_resource_root();

// Sets up loaders that read a session's recordings, measurements and rules from that root, each at first use. Copies of
// the setup share what was read.
void read_from(const std::string& root, SessionSetup&);

}  // namespace tilewalk
