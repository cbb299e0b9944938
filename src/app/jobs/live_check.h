// Holds the problem on screen against a GPU, off the thread that draws: live where there is one, else against the
// recording of the same problem in assets/recordings. What it found comes back as a CheckReport, for a Command. The
// thread has its own copies of everything; a newer request, or the end, cancels the one under way.
#pragma once

#include <atomic>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <thread>

#include "core/problem/inputs.h"
#include "session/check_report.h"

namespace tilewalk {

struct CheckRequest {
  Problem problem;
  FileInputs files;
  std::vector<InputEdit> edits;
  std::uint64_t problem_revision = 0;
  bool live = false;  // run the kernel on the GPU; else look for a recording
};

// The check itself; `cancelled` is asked now and then. Never throws.
CheckReport run_check(const CheckRequest&, const std::string& resource_root,
                      const std::function<bool()>& cancelled = {});

class LiveCheck {
 public:
  // `wake` is called from the other thread when there is something to poll.
  LiveCheck(std::string resource_root, std::function<void()> wake);
  ~LiveCheck();
  void start(CheckRequest);
  std::optional<CheckReport> poll();

 private:
  void stop();
  std::string root_;
  std::function<void()> wake_;
  std::thread thread_;
  std::atomic<bool> cancel_{false};
  std::mutex mutex_;
  std::optional<CheckReport> found_;
};

}  // namespace tilewalk
