#include "files/file_io.h"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <system_error>

#include "files/opened_file.h"

namespace tilewalk {
namespace fs = std::filesystem;

Result<std::vector<std::byte>> read_whole_file(const std::string& path, std::int64_t max_bytes) {
  const Result<OpenedFile> file = OpenedFile::open(path, max_bytes);
  if (!file) return file.issues();
  return file->first(file->size());
}

FileIdentity identity_of(const std::string& path) {
  std::error_code no_size, no_time;
  const std::uintmax_t bytes = fs::file_size(path, no_size);
  const fs::file_time_type modified = fs::last_write_time(path, no_time);
  if (no_size || no_time) return {};
  return {.bytes = std::int64_t(bytes), .modified = std::int64_t(modified.time_since_epoch().count())};
}

Result<Done> write_whole_file(const std::string& path, std::span<const std::byte> bytes) {
  std::error_code error;
  const fs::file_status status = fs::status(path, error);
  if (fs::is_directory(status)) return Issue{path, "", "is a folder, not a file", "Name a file in it"};
  if (fs::exists(status) && !fs::is_regular_file(status))
    return Issue{path, "", "exists and is not a regular file", "Choose another name"};
  const std::string temporary = path + ".part-" + std::to_string(::getpid());
  auto fail = [&](const char* doing) {
    const std::string why = std::strerror(errno);
    ::unlink(temporary.c_str());
    return Issue{path, "", std::string("cannot be ") + doing + ": " + why, "Check the folder and its free space"};
  };
  const int file = ::open(temporary.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
  if (file < 0) return fail("written");
  for (std::size_t done = 0; done < bytes.size();) {
    const ssize_t wrote = ::write(file, bytes.data() + done, bytes.size() - done);
    if (wrote < 0 && errno == EINTR) continue;
    if (wrote <= 0) {
      const Issue issue = fail("written");
      ::close(file);
      return issue;
    }
    done += std::size_t(wrote);
  }
  if (::close(file) != 0) return fail("written");
  if (::rename(temporary.c_str(), path.c_str()) != 0) return fail("renamed into place");
  return Done{};
}

}  // namespace tilewalk
