// Work on another thread; a Job always works on the newest request. jobs/worker.h has the thread.
//
// Every request gets exactly one answer, unless a newer request supersedes it, which cancels the task and drops its
// result. Before its answer a task may report progress; poll() returns only the latest report or answer. cancel() asks
// the task to end early; its result so far becomes the answer. An exception becomes an answer too, as does a thread
// that the system refuses. Where there is a thread, only the destructor waits for the task, after cancelling it. A Job
// uses no clock and no window, and does not depend on the kind of work.
#pragma once

#include <atomic>
#include <exception>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <type_traits>
#include <utility>

#include "app/jobs/worker.h"

namespace tilewalk {

template <class Answer>
struct JobWatch {                      // passed to a task with its request, for use during the work
  std::function<bool()> cancelled;     // to be called repeatedly; once true it stays true
  std::function<void(Answer)> report;  // reports progress
};

// A task's work on one request: called until it returns an answer.
template <class Answer>
using Slices = std::function<std::optional<Answer>(const JobWatch<Answer>&)>;

// Constructed from a function that does all the work, or from one that begins it and returns its slices; slices may
// refer to the request. A slice should take some milliseconds, for platforms without threads.
template <class Request, class Answer>
class TaskWork {
 public:
  template <class F>
  TaskWork(F f) {
    if constexpr (std::is_invocable_v<F, const Request&, const JobWatch<Answer>&>)
      begin_ = [f = std::move(f)](const Request& request) -> Slices<Answer> {
        return [&f, &request](const JobWatch<Answer>& watch) -> std::optional<Answer> { return f(request, watch); };
      };
    else
      begin_ = std::move(f);
  }
  Slices<Answer> begin(const Request& request) const { return begin_(request); }

 private:
  std::function<Slices<Answer>(const Request&)> begin_;
};

template <class Request, class Answer>
struct Task {
  TaskWork<Request, Answer> work;
  std::function<Answer(const Request&, const std::string& why)> failed;  // makes the answer for an exception

  // Runs one slice. `slices` is empty before the first.
  std::optional<Answer> slice(const Request& request, Slices<Answer>& slices, const JobWatch<Answer>& watch) const {
    try {
      if (!slices) slices = work.begin(request);
      return slices(watch);
    } catch (const std::exception& error) {
      return failed(request, error.what());
    } catch (...) {
      return failed(request, "unknown error");
    }
  }
  Answer answer(const Request& request, const JobWatch<Answer>& watch) const {
    for (Slices<Answer> slices;;)
      if (std::optional<Answer> answer = slice(request, slices, watch)) return std::move(*answer);
  }
  // Runs the whole task on the caller's thread.
  Answer answer(const Request& request) const {
    return answer(request, {[] { return false; }, [](const Answer&) {}});
  }
};

template <class Request, class Answer>
class Job {
 public:
  // The worker calls `wake` whenever there is something to poll.
  explicit Job(
      Task<Request, Answer> task, std::function<void()> wake = [] {})
      : task_(std::move(task)), wake_(std::move(wake)), worker_([this] { return work(); }, wake_) {}

  ~Job() {
    const std::lock_guard lock(mutex_);
    ending_ = true;
    if (newest_) newest_->cancelled = true;
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
    if (worker_.why_none().empty())
      worker_.call();
    else
      deliver(*newest_, task_.failed(newest_->request, worker_.why_none()));
  }

  void cancel() {
    const std::lock_guard lock(mutex_);
    if (newest_) newest_->cancelled = true;
  }

  bool lend() { return worker_.lend(); }  // see Worker

  // Throws if a task failed and `failed` threw too.
  std::optional<Answer> poll() {
    worker_.rethrow();
    const std::lock_guard lock(mutex_);
    return std::exchange(answer_, std::nullopt);
  }

 private:
  struct Order {
    explicit Order(Request r) : request(std::move(r)) {}
    const Request request;
    std::atomic<bool> cancelled{false};
  };

  // Runs a slice of the newest order. False: it is answered.
  bool work() {
    {
      const std::lock_guard lock(mutex_);
      if (at_hand_ != newest_) slices_ = nullptr, at_hand_ = newest_, answered_ = false;
    }
    if (!at_hand_ || answered_) return false;
    const JobWatch<Answer> watch{[order = at_hand_.get()] { return order->cancelled.load(); },
                                 [this](Answer so_far) { deliver(*at_hand_, std::move(so_far)); }};
    if (std::optional<Answer> answer = task_.slice(at_hand_->request, slices_, watch)) {
      answered_ = true;
      slices_ = nullptr;
      deliver(*at_hand_, std::move(*answer));
    }
    return true;
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
  std::shared_ptr<Order> newest_;
  std::optional<Answer> answer_;
  bool ending_ = false;
  std::shared_ptr<Order> at_hand_;  // these three are used by the worker only
  Slices<Answer> slices_;
  bool answered_ = false;
  Worker worker_;  // last, because it uses all other members and must be destroyed first
};

}  // namespace tilewalk
