#include "files/user_file.h"

#include <cstdlib>
#include <filesystem>
#include <span>

#include "base/units.h"
#include "files/file_io.h"
#include "files/folder_lock.h"

namespace tilewalk {

namespace fs = std::filesystem;

namespace {

constexpr int kMostUnread = 1000;

// Renames "progress.toml" to "progress.unread.toml", then "progress.unread-2.toml". Precondition: the folder is locked.
Result<std::string> set_aside(const fs::path& path) {
  std::error_code error;
  for (int n = 1; n <= kMostUnread; ++n) {
    fs::path aside = path;
    aside.replace_filename(path.stem().string() + ".unread" + (n == 1 ? "" : "-" + std::to_string(n)) +
                           path.extension().string());
    if (fs::symlink_status(aside, error).type() != fs::file_type::not_found) continue;
    fs::rename(path, aside, error);
    if (!error) return aside.string();
    break;
  }
  return Issue{path.string(), "", "cannot be read, and cannot be renamed: " + error.message(), "Move it away"};
}

}  // namespace

std::string user_file_path(const char* variable, const char* below_home, const char* name) {
  const char* const named = std::getenv(variable);
  const char* const home = std::getenv("HOME");
  const bool is_named = named && fs::path(named).is_absolute();
  if (!is_named && (!home || !*home)) return {};
  return ((is_named ? fs::path(named) : fs::path(home) / below_home) / "tilewalk" / name).string();
}

Result<std::string> read_user_file(const std::string& path, std::int64_t most_bytes) {
  std::error_code error;
  if (path.empty() || !fs::exists(path, error)) return std::string();
  return read_text_file(path, most_bytes);
}

Result<OutputFile> open_user_file(const std::string& path) {
  if (path.empty())
    return Issue{"HOME", "", "is not set, so there is no folder to save anything in",
                 "Set it, or XDG_STATE_HOME and XDG_CONFIG_HOME"};
  std::error_code error;
  const fs::path folder = fs::path(path).parent_path();
  if (!fs::create_directories(folder, error) && error)
    return Issue{path, "", "cannot be saved: its folder cannot be created: " + error.message(),
                 "Set XDG_STATE_HOME and XDG_CONFIG_HOME to folders that can be written"};
  return OutputFile::open({.field = "", .path = path});
}

Result<KeptFile> change_user_file(const std::string& path, std::int64_t most_bytes, const UserFileChange& change) {
  Result<OutputFile> out = open_user_file(path);
  if (!out) return out.issues();
  return change_user_file(std::move(*out), most_bytes, change);
}

Result<KeptFile> change_user_file(OutputFile out, std::int64_t most_bytes, const UserFileChange& change) {
  const fs::path path = out.path();
  const FolderLock lock(path.parent_path().string());
  KeptFile kept;
  const Result<std::string> there = read_user_file(out.path(), most_bytes);
  const bool too_large = !there && identity_of(out.path()).bytes > most_bytes;
  if (!there && !too_large) return there.issues();
  Result<std::string> text = too_large ? Result<std::string>(there.issues()) : change(*there);
  if (!text) {
    const Result<std::string> aside = set_aside(path);
    if (!aside) return aside.issues();
    kept.aside = *aside;
    text = change("");
  }
  if (!text) return text.issues();
  if (std::int64_t(text->size()) > most_bytes)
    return Issue{out.path(), format_bytes(std::int64_t(text->size())),
                 "would be larger than the " + format_bytes(most_bytes) + " that are read",
                 "Move the file away to start a new one"};
  if (const Result<Done> done = keep(out, std::as_bytes(std::span(*text))); !done) return done.issues();
  return kept;
}

}  // namespace tilewalk
