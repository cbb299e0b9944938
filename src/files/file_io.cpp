#include "files/file_io.h"

#include <filesystem>
#include <string_view>
#include <system_error>

#include "files/opened_file.h"

namespace tilewalk {
namespace fs = std::filesystem;

Result<std::vector<std::byte>> read_whole_file(const std::string& path, std::int64_t max_bytes) {
  const Result<OpenedFile> file = OpenedFile::open(path, max_bytes);
  if (!file) return file.issues();
  return file->first(file->size());
}

Result<std::string> read_text_file(const std::string& path, std::int64_t max_bytes) {
  const Result<std::vector<std::byte>> bytes = read_whole_file(path, max_bytes);
  if (!bytes) return bytes.issues();
  std::string_view text(reinterpret_cast<const char*>(bytes->data()), bytes->size());
  if (text.starts_with("\xef\xbb\xbf")) text.remove_prefix(3);
  return std::string(text);
}

FileIdentity identity_of(const std::string& path) {
  std::error_code no_size, no_time;
  const std::uintmax_t bytes = fs::file_size(path, no_size);
  const fs::file_time_type modified = fs::last_write_time(path, no_time);
  if (no_size || no_time) return {};
  return {.bytes = std::int64_t(bytes), .modified = std::int64_t(modified.time_since_epoch().count())};
}

}  // namespace tilewalk
