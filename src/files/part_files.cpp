#include "files/part_files.h"

#include <dirent.h>
#include <fcntl.h>
#include <sys/file.h>
#include <sys/random.h>
#include <sys/stat.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cerrno>
#include <cstring>
#include <memory>
#include <string_view>

namespace tilewalk {
namespace {

using FileStatus = struct stat;

constexpr std::string_view kHead = ".tilewalk-", kTail = ".part", kDigits = "0123456789abcdef";
constexpr std::size_t kRandomBytes = 8;
constexpr int kTries = 100;

std::string random_name() {
  std::array<unsigned char, kRandomBytes> bytes{};
  if (::getentropy(bytes.data(), bytes.size()) != 0) return {};
  std::string name(kHead);
  for (const unsigned char byte : bytes) name += {kDigits[byte >> 4], kDigits[byte & 15]};
  return name += kTail;
}

bool is_part_name(std::string_view name) {
  if (name.size() != kHead.size() + 2 * kRandomBytes + kTail.size()) return false;
  if (!name.starts_with(kHead) || !name.ends_with(kTail)) return false;
  return name.substr(kHead.size(), 2 * kRandomBytes).find_first_not_of(kDigits) == std::string_view::npos;
}

constexpr int kFree = -1, kChanging = -2;

struct RememberedPart {
  std::atomic<int> folder{kFree};  // a descriptor's number once the name is complete
  std::array<char, 40> name{};
};
std::array<RememberedPart, kMostPartFiles> remembered_parts;

bool names_a_file(const Descriptor& file) {
  FileStatus is{};
  return ::fstat(file.number(), &is) == 0 && is.st_nlink > 0;
}

}  // namespace

PartFile create_part_file(const Descriptor& folder, mode_t mode) {
  PartFile part;
  for (int tried = 0; tried < kTries; ++tried) {
    part.name = random_name();
    if (part.name.empty()) break;
    part.file = Descriptor(
        ::openat(folder.number(), part.name.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, mode));
    if (!part.file.is_open() && errno == EEXIST) continue;
    if (!part.file.is_open()) break;
    // Between its creation and its lock, another process may have taken it for a leftover.
    const bool taken = ::flock(part.file.number(), LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK;
    if (!taken && names_a_file(part.file)) break;
    part.file.close();
    errno = EBUSY;
  }
  return part;
}

void remember_part_file(const Descriptor& folder, const std::string& name) {
  for (RememberedPart& part : remembered_parts) {
    if (name.size() >= part.name.size()) return;
    int free = kFree;
    if (!part.folder.compare_exchange_strong(free, kChanging)) continue;
    std::memcpy(part.name.data(), name.c_str(), name.size() + 1);
    part.folder = folder.number();
    return;
  }
}

void forget_part_file(const Descriptor& folder, const std::string& name) {
  for (RememberedPart& part : remembered_parts) {
    int number = folder.number();
    if (part.folder == number && name == part.name.data() && part.folder.compare_exchange_strong(number, kFree)) return;
  }
}

void remove_part_files() noexcept {
  for (const RememberedPart& part : remembered_parts)
    if (const int folder = part.folder; folder >= 0) ::unlinkat(folder, part.name.data(), 0);
}

void clear_part_files(const Descriptor& folder) {
  const int again = ::openat(folder.number(), ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (again < 0) return;
  const std::unique_ptr<DIR, int (*)(DIR*)> listing(::fdopendir(again), ::closedir);
  if (!listing) {
    ::close(again);
    return;
  }
  while (const dirent* entry = ::readdir(listing.get())) {
    if (!is_part_name(entry->d_name)) continue;
    const Descriptor file(::openat(folder.number(), entry->d_name, O_WRONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC));
    FileStatus is{};
    if (!file.is_open() || ::fstat(file.number(), &is) != 0) continue;
    if (!S_ISREG(is.st_mode) || is.st_uid != ::geteuid()) continue;
    if (::flock(file.number(), LOCK_EX | LOCK_NB) == 0) ::unlinkat(folder.number(), entry->d_name, 0);
  }
}

}  // namespace tilewalk
