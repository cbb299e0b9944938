// Work off the thread that draws: one worker thread that always takes the newest request.
//
// Every request is answered exactly once, unless a newer one supersedes it: then nothing of it is heard any more.
// Before that answer a task may report how far it is; who polls sees the latest alone. cancel() asks the task to end
// early, and what it has by then is its answer. An exception becomes an answer too, and so does a thread that the
// system does not grant. No call but the destructor ever waits for the task, and the destructor asks it to end first.
// Knows no clock, no window and nothing of what it works on.
#pragma once

#include <atomic>
#include <condition_variable>
#include <exception>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <thread>
#include <utility>

namespace tilewalk {

template <class Answer>
struct JobWatch {  // what a task is given beside its request; to be called from its own thread
  std::function<bool()> cancelled;     // to be asked now and then; once true it stays so
  std::function<void(Answer)> report;  // how far it is
};

template <class Request, class Answer>
struct Task {
  std::function<Answer(const Request&, const JobWatch<Answer>&)> run;
  std::function<Answer(const Request&, const std::string& why)> failed;  // the answer that stands for an exception

  Answer answer(const Request& request, const JobWatch<Answer>& watch) const {
    try {
      return run(request, watch);
    } catch (const std::exception& error) {
      return failed(request, error.what());
    } catch (...) {
      return failed(request, "unknown error");
    }
  }
  // Here and now, on the caller's thread.
  Answer answer(const Request& request) const {
    return answer(request, {[] { return false; }, [](const Answer&) {}});
  }
};

template <class Request, class Answer>
class Job {
 public:
  // `wake` is called from the worker whenever there is something to poll.
  explicit Job(Task<Request, Answer> task, std::function<void()> wake = [] {})
      : task_(std::move(task)), wake_(std::move(wake)) {
    try {
      worker_ = std::thread([this] { serve(); });
    } catch (const std::exception& error) {
      no_worker_ = std::string("the system grants no thread for it: ") + error.what();
    }
  }

  ~Job() {
    {
      const std::lock_guard lock(mutex_);
      ending_ = true;
      if (newest_) newest_->cancelled = true;
    }
    called_.notify_one();
    if (worker_.joinable()) worker_.join();
  }
  Job(const Job&) = delete;
  Job& operator=(const Job&) = delete;

  void start(Request request) {
    {
      const std::lock_guard lock(mutex_);
      if (newest_) newest_->cancelled = true;
      newest_ = std::make_shared<Order>(std::move(request));
      answer_.reset();
    }
    called_.notify_one();
    if (!worker_.joinable()) deliver(*newest_, task_.failed(newest_->request, no_worker_));
  }

  void cancel() {
    const std::lock_guard lock(mutex_);
    if (newest_) newest_->cancelled = true;
  }

  std::optional<Answer> poll() {
    const std::lock_guard lock(mutex_);
    return std::exchange(answer_, std::nullopt);
  }

 private:
  struct Order {
    explicit Order(Request r) : request(std::move(r)) {}
    const Request request;
    std::atomic<bool> cancelled{false};
  };

  void serve() {
    for (std::shared_ptr<Order> order; (order = next_after(order));) {
      const JobWatch<Answer> watch{[&] { return order->cancelled.load(); },
                                   [&](Answer so_far) { deliver(*order, std::move(so_far)); }};
      deliver(*order, task_.answer(order->request, watch));
    }
  }

  std::shared_ptr<Order> next_after(const std::shared_ptr<Order>& done) {  // null: it is over
    std::unique_lock lock(mutex_);
    called_.wait(lock, [&] { return ending_ || newest_ != done; });
    return ending_ ? nullptr : newest_;
  }

  void deliver(const Order& order, Answer answer) {
    {
      const std::lock_guard lock(mutex_);
      if (ending_ || &order != newest_.get()) return;
      answer_ = std::move(answer);
    }
    wake_();
  }

  const Task<Request, Answer> task_;
  const std::function<void()> wake_;
  std::mutex mutex_;
  std::condition_variable called_;
  std::shared_ptr<Order> newest_;
  std::optional<Answer> answer_;
  bool ending_ = false;
  std::string no_worker_;  // why
  std::thread worker_;  // last: it uses all the others
};

}  // namespace tilewalk
