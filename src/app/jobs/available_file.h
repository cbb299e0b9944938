// Access to a file of the program's own before a task reads it. On a disk it is there; a browser's page fetches it
// first.
#pragma once

#include <string>

namespace tilewalk {

bool is_available(const std::string& path);  // false: still being fetched; true also if it cannot be fetched

// Why a file for which is_available was true is missing; for an empty path, why no file was found. A sentence; empty:
// no error.
std::string why_missing(const std::string& path);

}  // namespace tilewalk
