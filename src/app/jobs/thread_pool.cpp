#include "app/jobs/thread_pool.h"

#include <algorithm>
#include <atomic>
#include <exception>
#include <thread>
#include <vector>

#include "base/first_exception.h"

namespace tilewalk {
namespace {

constexpr int kMostWorkers = 4;

class ThreadPool final : public WorkerPool {
 public:
  explicit ThreadPool(int count) {
    try {
      for (int worker = 1; worker < count; ++worker) others_.emplace_back([this, worker] { serve(worker); });
    } catch (const std::exception&) {  // no thread, or no memory for it
    }
  }

  ~ThreadPool() override {
    part_ = nullptr;
    call();
    for (std::thread& other : others_) other.join();
  }

  int size() const override { return int(others_.size()) + 1; }

  void run(const std::function<void(int)>& part) override {
    part_ = &part;
    busy_.store(int(others_.size()));
    call();
    attempt(0);
    for (int left = busy_.load(); left > 0; left = busy_.load()) busy_.wait(left);
    failure_.rethrow();
  }

 private:
  void call() {
    calls_.fetch_add(1);
    calls_.notify_all();
  }

  void attempt(int worker) {
    failure_.attempt([&] { (*part_)(worker); });
  }

  void serve(int worker) {
    for (unsigned seen = 0;;) {
      calls_.wait(seen);
      seen = calls_.load();
      if (part_ == nullptr) return;
      attempt(worker);
      if (busy_.fetch_sub(1) == 1) busy_.notify_one();
    }
  }

  const std::function<void(int)>* part_ = nullptr;  // null: end
  std::atomic<unsigned> calls_{0};
  std::atomic<int> busy_{0};
  FirstException failure_;  // of the parts of a run
  std::vector<std::thread> others_;
};

}  // namespace

std::shared_ptr<WorkerPool> make_thread_pool() {
  const int count = std::min(kMostWorkers, int(std::thread::hardware_concurrency()));
  if (count < 2) return nullptr;
  auto workers = std::make_shared<ThreadPool>(count);
  return workers->size() < 2 ? nullptr : workers;
}

}  // namespace tilewalk
