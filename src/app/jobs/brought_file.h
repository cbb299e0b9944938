// A file of the program's own that a task is about to read. On a disk it is there; a page in a browser fetches it
// first.
#pragma once

#include <string>

namespace tilewalk {

bool is_brought(const std::string& path);  // false: it is on its way, ask again; one that cannot be had is empty

}  // namespace tilewalk
