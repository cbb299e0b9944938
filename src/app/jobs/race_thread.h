// Runs a live race off the thread that draws, and tells how far it is: finished rows, a fraction, what runs now. News is
// made at most ten times a second, so a race costs no more frames than that. Stopping ends it after the run at hand.
#pragma once

#include <atomic>
#include <functional>
#include <mutex>
#include <optional>
#include <thread>

#include "kernels/race/live_race.h"
#include "session/race_report.h"

namespace tilewalk {

class RaceThread {
 public:
  explicit RaceThread(std::function<void()> wake) : wake_(std::move(wake)) {}  // called from the other thread
  ~RaceThread();
  void start(const RacePlan&);  // stops the one under way first
  void stop() { cancel_ = true; }
  std::optional<RaceNews> poll();

 private:
  void join();
  void tell(RaceNews);
  std::function<void()> wake_;
  std::thread thread_;
  std::atomic<bool> cancel_{false};
  std::mutex mutex_;
  std::optional<RaceNews> news_;
};

}  // namespace tilewalk
