#include "files/opened_file.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <memory>
#include <optional>

#include "base/units.h"

namespace tilewalk {

ReadBytes bytes_in_memory(std::span<const std::byte> bytes) {
  return [bytes](std::int64_t at, std::span<std::byte> to) -> Result<Done> {
    std::copy_n(bytes.begin() + std::ptrdiff_t(at), to.size(), to.begin());
    return Done{};
  };
}

class OpenedFile::Descriptor {
 public:
  explicit Descriptor(int number) : number_(number) {}
  ~Descriptor() { ::close(number_); }
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;
  int number() const { return number_; }

 private:
  int number_;
};

Result<OpenedFile> OpenedFile::open(const std::string& path, std::int64_t max_bytes) {
  struct stat status {};
  const auto refused_kind = [&]() -> std::optional<Issue> {
    if (S_ISDIR(status.st_mode)) return Issue{path, "", "is a folder, not a file", "Name a file in it"};
    if (!S_ISREG(status.st_mode)) return Issue{path, "", "is not a regular file", "Copy it to a file first"};
    return std::nullopt;
  };
  if (::stat(path.c_str(), &status) != 0)
    return Issue{path, "", errno == ENOENT ? "there is no such file" : std::strerror(errno), "Check the path"};
  if (const auto refused = refused_kind()) return *refused;  // opening a device may have an effect
  const int number = ::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
  if (number < 0)
    return Issue{path, "", std::string("cannot be opened: ") + std::strerror(errno), "Check its permissions"};
  const auto file = std::make_shared<const Descriptor>(number);
  if (::fstat(number, &status) != 0) return Issue{path, "", std::strerror(errno), "Try again"};
  if (const auto refused = refused_kind()) return *refused;
  if (status.st_size > max_bytes)
    return Issue{path, format_bytes(status.st_size), "is larger than the " + format_bytes(max_bytes) + " that are read",
                 "Check that this is the file you mean"};
  return OpenedFile(path, file, status.st_size);
}

Result<Done> OpenedFile::read(std::int64_t at, std::span<std::byte> to) const {
  while (!to.empty()) {
    const ssize_t got = ::pread(file_->number(), to.data(), to.size(), at);
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) return Issue{path_, "", std::string("cannot be read: ") + std::strerror(errno), "Try again"};
    if (got == 0) return Issue{path_, "", "became shorter while it was read", "Try again"};
    at += got;
    to = to.subspan(std::size_t(got));
  }
  return Done{};
}

Result<std::vector<std::byte>> OpenedFile::first(std::int64_t most) const {
  std::vector<std::byte> bytes(std::size_t(std::min(most, size_)));
  if (const Result<Done> done = read(0, bytes); !done) return done.issues();
  return bytes;
}

ReadBytes OpenedFile::reader() const {
  return [file = *this](std::int64_t at, std::span<std::byte> to) { return file.read(at, to); };
}

}  // namespace tilewalk
