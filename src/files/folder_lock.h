// Held while files of a folder change as one, or while one is read, changed and written again: whoever else of Tilewalk
// does so there waits its turn. It goes with its process. Waits two seconds at most and then goes on, as it does on
// file systems without locks: each file is still whole, but what another wrote meanwhile may be replaced.
#pragma once

#include <string>

#include "files/descriptor.h"

namespace tilewalk {

class FolderLock {
 public:
  explicit FolderLock(const std::string& folder);  // empty: the one at hand

 private:
  Descriptor folder_;
};

}  // namespace tilewalk
