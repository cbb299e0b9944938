// Measures how far the problem on screen, and what it is compared with, are from float64, off the thread that draws. What it
// found comes back as Commands. The thread has its own copies of everything; a newer request, or the end, cancels the one
// under way.
#pragma once

#include <atomic>
#include <functional>
#include <mutex>
#include <optional>
#include <thread>
#include <vector>

#include "session/session.h"

namespace tilewalk {

struct AccuracyRequest {
  Problem problem;
  FileInputs files;
  std::vector<InputEdit> edits;
  std::uint64_t revision = 0;
  bool of_baseline = false;
};

// What the session has no figures for yet: its problem, then its baseline while the page of comparison is open.
std::optional<AccuracyRequest> wanted_accuracy(const Session&);

// The Command that reports it. Never throws. Without a Command when it was cancelled.
std::optional<Command> run_accuracy(const AccuracyRequest&, const std::function<bool()>& cancelled = {});

class AccuracyRun {
 public:
  // `wake` is called from the other thread when there is something to poll.
  explicit AccuracyRun(std::function<void()> wake) : wake_(std::move(wake)) {}
  ~AccuracyRun() { stop(); }
  // Starts what the session wants, unless that is under way already.
  void follow(const Session&);
  std::optional<Command> poll();

 private:
  void stop();
  std::function<void()> wake_;
  std::thread thread_;
  std::atomic<bool> cancel_{false};
  std::mutex mutex_;
  std::optional<Command> found_;
  std::optional<std::pair<std::uint64_t, bool>> at_work_on_;
};

}  // namespace tilewalk
