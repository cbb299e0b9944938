// The same work on several threads, the caller's among them.
#pragma once

#include <system_error>
#include <thread>
#include <vector>

namespace tilewalk::cpu {

// Calls work(0) … work(threads - 1), each on a thread of its own; fewer where the system grants no more threads, so the
// work must be dealt by a shared counter. work must not throw.
template <class Work>
void on_threads(int threads, Work work) {
  std::vector<std::thread> others;
  others.reserve(std::size_t(threads - 1));
  try {
    for (int t = 1; t < threads; ++t) others.emplace_back(work, t);
  } catch (const std::system_error&) {
  }
  work(0);
  for (std::thread& other : others) other.join();
}

}  // namespace tilewalk::cpu
