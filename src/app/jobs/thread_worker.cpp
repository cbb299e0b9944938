#include <atomic>
#include <condition_variable>
#include <exception>
#include <mutex>
#include <thread>
#include <utility>

#include "app/jobs/worker.h"

namespace tilewalk {

struct Worker::Own {
  std::function<bool()> work;
  std::function<void()> wake;
  std::mutex mutex;
  std::condition_variable heard;
  bool called = false;
  std::exception_ptr failure = nullptr;
  std::atomic<bool> ending = false;
  std::thread worker = {};

  bool wait() {  // false: the worker ends
    std::unique_lock lock(mutex);
    heard.wait(lock, [&] { return ending || called; });
    called = false;
    return !ending;
  }
  void serve() {
    while (wait()) {
      try {
        while (!ending && work()) {
        }
      } catch (...) {
        {
          const std::lock_guard lock(mutex);
          failure = std::current_exception();
        }
        wake();
      }
    }
  }
};

Worker::Worker(std::function<bool()> work, std::function<void()> wake) : own_(std::make_unique<Own>()) {
  own_->work = std::move(work);
  own_->wake = std::move(wake);
  try {
    own_->worker = std::thread([own = own_.get()] { own->serve(); });
  } catch (const std::exception& error) {
    why_none_ = std::string("the system grants no thread for it: ") + error.what();
  }
}

Worker::~Worker() {
  {
    const std::lock_guard lock(own_->mutex);
    own_->ending = true;
  }
  own_->heard.notify_one();
  if (own_->worker.joinable()) own_->worker.join();
}

void Worker::call() {
  {
    const std::lock_guard lock(own_->mutex);
    own_->called = true;
  }
  own_->heard.notify_one();
}

void Worker::rethrow() {
  std::exception_ptr failure;
  {
    const std::lock_guard lock(own_->mutex);
    failure = std::exchange(own_->failure, nullptr);
  }
  if (failure) std::rethrow_exception(failure);
}

bool Worker::lend() { return false; }

}  // namespace tilewalk
