#include "files/file_io.h"

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <system_error>

#include "base/units.h"

namespace tilewalk {
namespace fs = std::filesystem;

Result<std::vector<std::byte>> read_whole_file(const std::string& path, std::int64_t max_bytes) {
  std::error_code error;
  const fs::file_status status = fs::status(path, error);
  if (!fs::exists(status))
    return Issue{path, "",
                 error && error != std::errc::no_such_file_or_directory ? error.message() : "there is no such file",
                 "Check the path"};
  if (fs::is_directory(status)) return Issue{path, "", "is a folder, not a file", "Name a file in it"};
  if (!fs::is_regular_file(status)) return Issue{path, "", "is not a regular file", "Copy it to a file first"};
  const std::uintmax_t size = fs::file_size(path, error);
  if (error) return Issue{path, "", error.message(), ""};
  if (size > std::uintmax_t(max_bytes))
    return Issue{path, format_bytes(std::int64_t(size)),
                 "is larger than the " + format_bytes(max_bytes) + " that are read", ""};
  std::ifstream in(path, std::ios::binary);
  if (!in) return Issue{path, "", std::string("cannot be opened: ") + std::strerror(errno), "Check its permissions"};
  std::vector<std::byte> bytes(size);
  in.read(reinterpret_cast<char*>(bytes.data()), std::streamsize(size));
  if (std::uintmax_t(in.gcount()) != size) return Issue{path, "", "became shorter while it was read", "Try again"};
  return bytes;
}

FileIdentity identity_of(const std::string& path) {
  std::error_code no_size, no_time;
  const std::uintmax_t bytes = fs::file_size(path, no_size);
  const fs::file_time_type modified = fs::last_write_time(path, no_time);
  if (no_size || no_time) return {};
  return {.bytes = std::int64_t(bytes), .modified = std::int64_t(modified.time_since_epoch().count())};
}

}  // namespace tilewalk
