// Replaces jobs/thread_worker.cpp in a browser.
#include <chrono>
#include <utility>

#include "app/jobs/worker.h"

namespace tilewalk {

struct Worker::Own {
  std::function<bool()> work;
  std::function<void()> wake;
  bool called = false;
};

Worker::Worker(std::function<bool()> work, std::function<void()> wake)
    : own_(new Own{.work = std::move(work), .wake = std::move(wake)}) {}
Worker::~Worker() = default;

void Worker::call() {
  own_->called = true;
  own_->wake();
}

void Worker::rethrow() {}

bool Worker::lend() {
  if (!own_->called) return false;
  constexpr auto kAtOnce = std::chrono::milliseconds(6);
  for (const auto end = std::chrono::steady_clock::now() + kAtOnce;
       own_->called && std::chrono::steady_clock::now() < end;) {
    own_->called = false;  // work that throws to the caller is not called again
    own_->called = own_->work();
  }
  if (own_->called) own_->wake();
  return true;
}

}  // namespace tilewalk
