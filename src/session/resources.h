// Where assets/, kernels/ and shaders/ lie: the folder named by the environment variable TILEWALK_ROOT, else
// ../share/tilewalk of an installed program, else the nearest folder above the program that holds assets/presets, else
// the source folder that the program was built from.
#pragma once

#include <string>

#include "base/result.h"

namespace tilewalk {

Result<std::string> find_resource_root();

}  // namespace tilewalk
