// Where assets/, kernels/ and shaders/ lie: the folder named by the environment variable TILEWALK_ROOT, else
// ../share/tilewalk of an installed program, else the nearest folder above the program that holds assets/presets, else,
// of a program built outside its source, that source. The program's place is that of its file, not of a link to it.
#pragma once

#include <string>

#include "base/result.h"
#include "session/session.h"

namespace tilewalk {

Result<std::string> find_resource_root();

// A session's recordings, measurements and rules are read from that root, each when it is first asked for; copies of
// the setup share what was read.
void read_from(const std::string& root, SessionSetup&);

}  // namespace tilewalk
