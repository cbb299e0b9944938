#include "lab/run/bank_log.h"

#include <algorithm>

namespace tilewalk::lab {
namespace {

constexpr std::size_t kMostLogged = 1'000'000;  // then the logged accesses are matched early

}  // namespace

void BankLog::start(std::size_t threads, std::size_t instructions) {
  barrier();
  constexpr std::size_t kMostCounted = std::size_t(1) << 24;
  instructions_ = threads * instructions <= kMostCounted ? instructions : 0;
  instructions = instructions_;
  count_.assign(threads * instructions, 0);
}

void BankLog::access(int thread, std::int32_t at, std::int64_t word) {
  if (instructions_ == 0) return;
  const std::uint64_t nth = count_[std::size_t(thread) * instructions_ + std::size_t(at)]++;
  log_.push_back({(std::uint64_t(thread / 32) << 56) | (std::uint64_t(at) << 36) | (nth & 0xfffffffffu), at, word});
  if (log_.size() >= kMostLogged) barrier();
}

void BankLog::barrier() {
  std::sort(log_.begin(), log_.end(),
            [](const Access& a, const Access& b) { return a.key != b.key ? a.key < b.key : a.word < b.word; });
  for (std::size_t first = 0; first < log_.size();) {
    std::int64_t in_bank[32] = {}, turns = 0;
    std::size_t end = first;
    for (; end < log_.size() && log_[end].key == log_[first].key; ++end)
      if (end == first || log_[end].word != log_[end - 1].word)
        turns = std::max(turns, ++in_bank[std::size_t(log_[end].word % 32)]);
    ++turns_.accesses;
    turns_.turns += turns;
    if (turns > turns_.most) turns_.most = turns, turns_.at = log_[first].at;
    first = end;
  }
  log_.clear();
  std::fill(count_.begin(), count_.end(), 0u);
}

}  // namespace tilewalk::lab
