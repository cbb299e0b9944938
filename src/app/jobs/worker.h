// Who works for a Job. On a desktop a thread of its own (thread_worker.cpp). A page in a browser has no thread to give:
// there whoever waits works a few milliseconds now and then (web/web_worker.cpp). Knows nothing of what is done.
#pragma once

#include <functional>
#include <memory>
#include <string>

namespace tilewalk {

class Worker {
 public:
  // `work` does some of what there is, never twice at once; false: nothing is left for now. `wake` is called where the
  // caller is to lend a hand for the work to go on.
  Worker(std::function<bool()> work, std::function<void()> wake);
  ~Worker();  // waits for the work at hand
  Worker(const Worker&) = delete;
  Worker& operator=(const Worker&) = delete;

  void call();  // there is work
  // Throws what the work threw since it was last asked; work that threw is not asked again until the next call.
  void rethrow();
  bool lend();  // the caller's own, for those few milliseconds; false: they are not needed
  const std::string& why_none() const { return why_none_; }  // empty: somebody will work

 private:
  struct Own;
  std::unique_ptr<Own> own_;
  std::string why_none_;
};

}  // namespace tilewalk
