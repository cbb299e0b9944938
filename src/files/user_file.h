// The small files that Tilewalk keeps for a user: settings, progress in lessons, measured rates of this machine. The
// XDG base directories say where they are. A missing file reads as empty; writing creates its folders. Several programs
// may use one file at the same time: each reads the current content and changes that. A file that cannot be read, for
// example one of a newer version, is never overwritten but renamed beside its place.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>

#include "base/result.h"
#include "files/output_file.h"

namespace tilewalk {

// Below the folder that the variable names, if it is absolute (the specification ignores others), else below that
// folder of the home folder; empty: the system names no home.
std::string user_file_path(const char* variable, const char* below_home, const char* name);

Result<std::string> read_user_file(const std::string& path, std::int64_t most_bytes);
template <class Parse>
auto load_user_file(const std::string& path, std::int64_t most_bytes, Parse parse) -> decltype(parse("", path)) {
  const Result<std::string> text = read_user_file(path, most_bytes);
  if (!text) return text.issues();
  return parse(*text, path);
}

// Checks before long work whether its result can be saved; refused where there is no home.
Result<OutputFile> open_user_file(const std::string& path);

struct KeptFile {
  std::string aside;  // new path of a file that could not be read; empty: none was renamed
};
// Returns the new text of the file, given the current one. Its issues mean that the current text cannot be read; then
// it is called once more with an empty text.
using UserFileChange = std::function<Result<std::string>(std::string_view there)>;
Result<KeptFile> change_user_file(const std::string& path, std::int64_t most_bytes, const UserFileChange&);
Result<KeptFile> change_user_file(OutputFile, std::int64_t most_bytes, const UserFileChange&);

}  // namespace tilewalk
