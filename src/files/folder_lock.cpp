#include "files/folder_lock.h"

#include <fcntl.h>
#include <sys/file.h>

#include <cerrno>

namespace tilewalk {
namespace {

constexpr int kLockTries = 200;
constexpr useconds_t kLockPause = 10'000;  // microseconds between two attempts

}  // namespace

FolderLock::FolderLock(const std::string& folder)
    : folder_(::open(folder.empty() ? "." : folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC)) {
  for (int tried = 0; folder_.is_open() && tried < kLockTries; ++tried) {
    if (::flock(folder_.number(), LOCK_EX | LOCK_NB) == 0 || errno != EWOULDBLOCK) return;
    ::usleep(kLockPause);
  }
}

}  // namespace tilewalk
