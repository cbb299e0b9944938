// A file of the program's own that a task is about to read. On a disk it is there; a page in a browser fetches it
// first.
#pragma once

#include <string>

namespace tilewalk {

bool is_available(const std::string& path);  // false: it is on its way, ask again; true also where it cannot be had

// Why a file that is_available was true for cannot be had, or, of an empty path, why no file was found: a sentence.
// Empty: nothing went wrong.
std::string why_missing(const std::string& path);

}  // namespace tilewalk
