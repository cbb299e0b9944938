// The contents of a folder, for a person to choose from: folders first, then files with given endings, each by name.
// Hidden entries are left out. A very large folder is not read to its end; `more` says so.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "base/result.h"

namespace tilewalk {

struct FolderEntry {
  std::string name;
  bool folder = false;
  bool operator==(const FolderEntry&) const = default;
};

struct FolderListing {
  std::string path;  // absolute, without "." and ".."
  std::vector<FolderEntry> entries;
  bool more = false;  // some entries are left out
};

inline constexpr std::size_t kMostListed = 500, kMostLookedAt = 20'000;

Result<FolderListing> list_folder(const std::string& path, std::span<const char* const> endings);

}  // namespace tilewalk
