#include "files/folder.h"

#include <algorithm>
#include <filesystem>

namespace tilewalk {

Result<FolderListing> list_folder(const std::string& path, std::span<const char* const> endings) {
  namespace fs = std::filesystem;
  std::error_code error;
  fs::path whole = fs::absolute(path.empty() ? fs::path(".") : fs::path(path), error).lexically_normal();
  if (!whole.has_filename() && whole.has_parent_path() && whole != whole.root_path()) whole = whole.parent_path();
  FolderListing out;
  out.path = whole.string();
  fs::directory_iterator entries(whole, error);
  if (error)
    return Issue{"folder", out.path, fs::is_directory(whole) ? "cannot be read" : "is not a folder",
                 "Choose another one"};
  std::size_t looked = 0;
  for (; entries != fs::directory_iterator(); entries.increment(error)) {
    if (error) break;
    if (++looked > kMostLookedAt) {
      out.more = true;
      break;
    }
    const std::string name = entries->path().filename().string();
    if (name.starts_with('.')) continue;
    std::error_code unknown;
    const bool folder = entries->is_directory(unknown);
    const auto ends = [&](const char* ending) { return name.ends_with(ending); };
    if (folder || std::any_of(endings.begin(), endings.end(), ends)) out.entries.push_back({name, folder});
  }
  std::sort(out.entries.begin(), out.entries.end(), [](const FolderEntry& a, const FolderEntry& b) {
    return a.folder != b.folder ? a.folder : a.name < b.name;
  });
  if (out.entries.size() > kMostListed) out.entries.resize(kMostListed), out.more = true;
  return out;
}

}  // namespace tilewalk
