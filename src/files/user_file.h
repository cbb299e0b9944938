// The small files that Tilewalk keeps for a person: settings, progress in lessons, what this machine reaches. Where
// they lie is the system's word (XDG base directories); one that is not there yet reads as empty, and writing makes its
// folders. Several programs may keep one at the same time: each reads what is there now, and changes that. What cannot
// be read, a newer version's file among it, is never overwritten: it is set aside beside its place.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>

#include "base/result.h"
#include "files/output_file.h"

namespace tilewalk {

// Below the folder that the variable names, if it is absolute (others are to be ignored, says that specification), else
// below that folder of one's home; empty: the system names no home.
std::string user_file_path(const char* variable, const char* below_home, const char* name);

Result<std::string> read_user_file(const std::string& path, std::int64_t most_bytes);

// To learn before long work whether its result can be kept; refused where there is no home.
Result<OutputFile> open_user_file(const std::string& path);

struct KeptFile {
  std::string aside;  // where that lies now which could not be read; empty: nothing was set aside
};
// The new text of the file, from what is there; its issues mean that this cannot be read. Then it is asked once more,
// with nothing there.
using UserFileChange = std::function<Result<std::string>(std::string_view there)>;
Result<KeptFile> change_user_file(const std::string& path, std::int64_t most_bytes, const UserFileChange&);
Result<KeptFile> change_user_file(OutputFile, std::int64_t most_bytes, const UserFileChange&);

}  // namespace tilewalk
