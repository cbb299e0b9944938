// Whole files in and out. Reading is for small files and refuses what is larger than the given size before any memory
// is taken for it; tensors are read by files/opened_file. Writing goes to a temporary name beside the target, then
// renames, so that a reader never sees half a file and a failed write leaves the old one. Errors are Issues that name
// the path and what the system said.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "base/result.h"

namespace tilewalk {

Result<std::vector<std::byte>> read_whole_file(const std::string& path, std::int64_t max_bytes);
// Tells a file from what it was before: a file that was written again has another. No file has the empty one.
struct FileIdentity {
  std::int64_t bytes = 0;
  std::int64_t modified = 0;  // the file system's own clock
  bool operator==(const FileIdentity&) const = default;
};
FileIdentity identity_of(const std::string& path);

Result<Done> write_whole_file(const std::string& path, std::span<const std::byte> bytes);

}  // namespace tilewalk
