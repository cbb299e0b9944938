// Runs a Job's work in slices: on a desktop in a thread of its own (thread_worker.cpp), in a browser's page between two
// frames, a few milliseconds at a time (web/web_worker.cpp).
#pragma once

#include <functional>
#include <memory>
#include <string>

namespace tilewalk {

class Worker {
 public:
  // `work` runs one slice and returns false when nothing is left; two slices never run at once. `wake` asks the caller
  // to call lend or rethrow.
  Worker(std::function<bool()> work, std::function<void()> wake);
  ~Worker();  // waits for the slice that runs
  Worker(const Worker&) = delete;
  Worker& operator=(const Worker&) = delete;

  void call();  // starts the work
  // Throws the exception of a slice that failed since the last rethrow. After a failure no slice runs until the next
  // call.
  void rethrow();
  bool lend();  // runs slices in the caller's thread for a few milliseconds; false: none were needed
  const std::string& why_none() const { return why_none_; }  // why no work can run; empty: it can

 private:
  struct Own;
  std::unique_ptr<Own> own_;
  std::string why_none_;
};

}  // namespace tilewalk
