// Whole files in and out. Reading refuses anything but a regular file of at most the given size, before any memory is
// taken for it. Writing goes to a temporary name beside the target, then renames, so that a reader never sees half a
// file and a failed write leaves the old one. Errors are Issues that name the path and what the system said.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "base/result.h"

namespace tilewalk {

Result<std::vector<std::byte>> read_whole_file(const std::string& path, std::int64_t max_bytes);
Result<Done> write_whole_file(const std::string& path, std::span<const std::byte> bytes);

}  // namespace tilewalk
