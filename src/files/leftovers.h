// Files that are not yet what they will be: hidden, with a random name that is recognised as Tilewalk's, locked by
// their writer for as long as it lives. What is locked no more was left by a process that was killed.
// Not modelled: file systems without locks, where nothing is cleared away.
#pragma once

#include <sys/types.h>

#include <string>

#include "files/descriptor.h"

namespace tilewalk {

struct PartFile {
  Descriptor file;  // not open: the system says why
  std::string name;
};

PartFile create_part_file(const Descriptor& folder, mode_t);
void clear_leftovers(const Descriptor& folder);

}  // namespace tilewalk
