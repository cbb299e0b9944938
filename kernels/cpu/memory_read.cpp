#include "kernels/cpu/memory_read.h"

#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <fstream>
#include <string>

#include "base/large_array.h"
#include "kernels/cpu/workers.h"

namespace tilewalk::cpu {
namespace {

using Word = std::uint64_t;

constexpr std::int64_t kLeastBytes = std::int64_t(512) << 20, kMostBytes = std::int64_t(64) << 30;
constexpr std::int64_t kPiece = (std::int64_t(4) << 20) / std::int64_t(sizeof(Word));  // between two calls of go_on

// Eight independent sums, limited only by memory: compilers vectorise them.
Word sum_of(const Word* from, std::int64_t count) {
  Word sums[8] = {};
  std::int64_t i = 0;
  for (; i + 8 <= count; i += 8)
    for (int lane = 0; lane < 8; ++lane) sums[lane] += from[i + lane];
  Word sum = 0;
  for (; i < count; ++i) sum += from[i];
  for (const Word each : sums) sum += each;
  return sum;
}

// "491520K", "32M".
std::int64_t size_in(const std::string& path) {
  std::ifstream file(path);
  std::int64_t size = 0;
  char unit = 0;
  if (!(file >> size) || size <= 0) return 0;
  file >> unit;
  return unit == 'K' ? size << 10 : unit == 'M' ? size << 20 : size;
}

}  // namespace

std::int64_t last_level_cache_bytes() {
  std::int64_t most = 0;
  for (int index = 0; index < 8; ++index)
    most = std::max(most, size_in("/sys/devices/system/cpu/cpu0/cache/index" + std::to_string(index) + "/size"));
#ifdef _SC_LEVEL3_CACHE_SIZE
  most = std::max<std::int64_t>(most, ::sysconf(_SC_LEVEL3_CACHE_SIZE));
#endif
  return most;
}

std::int64_t bytes_to_read(std::int64_t cache_bytes, std::int64_t free_bytes) {
  const std::int64_t wanted = std::max(kLeastBytes, 4 * cache_bytes), given = std::min(wanted, free_bytes / 4);
  return given >= std::max(kLeastBytes / 2, 2 * cache_bytes) ? given : 0;
}

double memory_read_gb_per_s(int threads, std::int64_t bytes, int passes,
                            const std::function<bool(int passes_done)>& go_on) {
  using Clock = std::chrono::steady_clock;
  if (bytes > kMostBytes) return 0;
  const std::int64_t words = std::max<std::int64_t>(threads, bytes / std::int64_t(sizeof(Word)));
  const LargeArrayOf<Word> array = large_array_or_null<Word>(std::size_t(words));
  if (!array) return 0;
  std::atomic<bool> ended{false};
  // Each thread works on the same part in every pass, so it reads what it wrote. False: stopped, or parts were left out
  // because the system granted fewer threads.
  const auto each_part = [&](int passes_done, const auto& work) {
    std::atomic<int> parts{0};
    on_threads(threads, [&](int t) {
      const std::int64_t share = words / threads, from = share * t, to = t + 1 == threads ? words : from + share;
      for (std::int64_t at = from; at < to && !ended; at += kPiece) {
        work(array.get() + at, std::min(kPiece, to - at));
        if (t == 0 && !go_on(passes_done)) ended = true;
      }
      parts.fetch_add(1);
    });
    return !ended && parts == threads;
  };
  if (!each_part(0, [](Word* to, std::int64_t count) { std::fill_n(to, count, Word(1)); })) return 0;
  double best = 0;
  for (int pass = 0; pass < passes; ++pass) {
    std::atomic<Word> sum{0};
    const auto start = Clock::now();
    if (!each_part(pass, [&](const Word* from, std::int64_t count) { sum.fetch_add(sum_of(from, count)); })) return 0;
    const double ns = std::chrono::duration<double, std::nano>(Clock::now() - start).count();
    if (sum != Word(words)) return 0;  // every word is 1
    best = std::max(best, double(words) * double(sizeof(Word)) / ns);
  }
  return best;
}

}  // namespace tilewalk::cpu
