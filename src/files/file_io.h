// Whole files in, for small ones: anything but a regular file of at most the given size is refused before any memory is
// taken for it. Tensors are read by files/opened_file; files go out by files/output_file. Errors are Issues that name
// the path and what the system said.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "base/result.h"

namespace tilewalk {

Result<std::vector<std::byte>> read_whole_file(const std::string& path, std::int64_t max_bytes);
// Likewise, without the byte order mark (UTF-8) that some editors put before the text.
Result<std::string> read_text_file(const std::string& path, std::int64_t max_bytes);
// Tells a file from what it was before: a file that was written again has another. No file has the empty one.
struct FileIdentity {
  std::int64_t bytes = 0;
  std::int64_t modified = 0;  // the file system's own clock
  bool operator==(const FileIdentity&) const = default;
};
FileIdentity identity_of(const std::string& path);

}  // namespace tilewalk
