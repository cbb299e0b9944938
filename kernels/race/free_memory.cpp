#include <algorithm>
#include <fstream>
#include <string>

#include "kernels/race/track.h"

namespace tilewalk {
namespace {

std::int64_t number_of(const char* path) {
  std::ifstream file(path);
  std::int64_t value = -1;
  return file >> value ? value : -1;
}

}  // namespace

std::int64_t free_memory_bytes() {
  std::int64_t free = 0;
  std::ifstream info("/proc/meminfo");
  for (std::string word; info >> word;)
    if (word == "MemAvailable:") {
      info >> free;
      free *= 1024;
      break;
    }
  const char* const groups[][2] = {
      {"/sys/fs/cgroup/memory.max", "/sys/fs/cgroup/memory.current"},
      {"/sys/fs/cgroup/memory/memory.limit_in_bytes", "/sys/fs/cgroup/memory/memory.usage_in_bytes"}};
  for (const auto& [limit_file, use_file] : groups) {
    const std::int64_t limit = number_of(limit_file), use = number_of(use_file);
    if (limit > 0 && use >= 0) free = std::min(free, std::max<std::int64_t>(0, limit - use));
  }
  return free;
}

}  // namespace tilewalk
