// Keeps the first exception of several threads, so that one thread can throw it again after all have ended.
#pragma once

#include <atomic>
#include <exception>
#include <utility>

namespace tilewalk {

class FirstException {
 public:
  // Calls work and stores an exception that it throws, unless another thread's exception came first.
  // std::current_exception allocates nothing, so this works where memory is short.
  template <class Work>
  void attempt(const Work& work) {
    try {
      work();
    } catch (...) {
      if (!kept_.test_and_set()) first_ = std::current_exception();
    }
  }

  // Throws the kept exception, once. Precondition: no thread is in attempt.
  void rethrow() {
    kept_.clear();
    if (first_) std::rethrow_exception(std::exchange(first_, nullptr));
  }

 private:
  std::atomic_flag kept_;
  std::exception_ptr first_;
};

}  // namespace tilewalk
