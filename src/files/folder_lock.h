// A lock for changing several files of a folder as one, or for reading, changing and writing one. Other Tilewalk
// processes wait meanwhile. The lock ends with its process. It waits at most two seconds and then continues without the
// lock, as on file systems without locks: each file is still written whole, but may replace what another process wrote
// meanwhile.
#pragma once

#include <string>

#include "files/descriptor.h"

namespace tilewalk {

class FolderLock {
 public:
  explicit FolderLock(const std::string& folder);  // empty: the current folder

 private:
  Descriptor folder_;
};

}  // namespace tilewalk
