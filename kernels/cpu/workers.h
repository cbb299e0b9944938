// The same work on several threads, including the caller's.
#pragma once

#include <atomic>
#include <exception>
#include <thread>
#include <vector>

#include "base/first_exception.h"

namespace tilewalk::cpu {

// Calls work(0) … work(threads - 1), each on a thread of its own; fewer where the system grants no more threads, so the
// work must be divided by a shared counter. Throws the first exception of a thread's work, after all threads have
// ended.
template <class Work>
void on_threads(int threads, Work work) {
  FirstException failure;
  std::vector<std::thread> others;
  others.reserve(std::size_t(threads - 1));
  try {
    for (int t = 1; t < threads; ++t)
      others.emplace_back([&failure, work, t]() mutable { failure.attempt([&] { work(t); }); });
  } catch (const std::exception&) {  // no thread, or no memory for one
  }
  failure.attempt([&] { work(0); });
  for (std::thread& other : others) other.join();
  failure.rethrow();
}

// How many threads the system grants at the same time, including the caller's; at most `wanted`.
inline int threads_granted(int wanted) {
  std::atomic<bool> counted{false};
  int granted = 1;
  std::vector<std::thread> others;
  try {
    others.reserve(std::size_t(wanted - 1));
    for (; granted < wanted; ++granted) others.emplace_back([&] { counted.wait(false); });
  } catch (const std::exception&) {
  }
  counted = true;
  counted.notify_all();
  for (std::thread& other : others) other.join();
  return granted;
}

}  // namespace tilewalk::cpu
