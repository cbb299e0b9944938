// Reads whole small files: refuses anything but a regular file of at most the given size before it allocates memory.
// files/opened_file reads tensors; files/output_file writes files. Errors are Issues with the path and the system's
// reason.
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
// Identifies a version of a file: a file that was written again has another identity. No file has the empty one.
struct FileIdentity {
  std::int64_t bytes = 0;
  std::int64_t modified = 0;  // the file system's own clock
  bool operator==(const FileIdentity&) const = default;
};
FileIdentity identity_of(const std::string& path);

}  // namespace tilewalk
