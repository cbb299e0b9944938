// The small files that Tilewalk keeps for a person: settings, progress in lessons, what this machine reaches. Where
// they lie is the system's word (XDG base directories); one that is not there yet reads as empty, and writing makes its
// folders.
#pragma once

#include <cstdint>
#include <string>

#include "base/result.h"

namespace tilewalk {

// Below the folder that the variable names, if it is absolute (others are to be ignored, says that specification), else
// below that folder of one's home; empty: the system names no home.
std::string own_file_path(const char* variable, const char* below_home, const char* name);

Result<std::string> read_own_file(const std::string& path, std::int64_t most_bytes);
Result<Done> write_own_file(const std::string& text, const std::string& path);

}  // namespace tilewalk
