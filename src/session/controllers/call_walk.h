// The position in the call that the page of comparison shows, where that call is another problem than the walk. Until
// somebody moves it, it follows the walk: at the same share of its tile visits. Playing runs through the whole call in
// kSecondsOfCall, at the usual speed. Times are passed in; no clock is read.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>

#include "core/walk/schedule.h"
#include "session/document/document.h"

namespace tilewalk {

inline constexpr double kSecondsOfCall = 20;

// Returns where a call starts: after the same share of tile visits as the walk. While the walk has not begun, the pipes
// start at the call's end, where all bytes have moved.
std::int64_t first_cursor(const Schedule& walk, std::int64_t cursor, Filling, const Schedule& call);

class CallWalk {
 public:
  // The call's position. Empty until a person moves this call.
  std::optional<std::int64_t> cursor(const Problem& call) const;
  bool plays() const { return plays_; }

  // Call this before each move below. A call that differs from the last one starts at first_cursor().
  void open(const Problem& call, const Schedule& walk, std::int64_t cursor, Filling);
  void move_to(std::int64_t cursor);
  void step(StepUnit, int direction);
  void to_end(int direction) { move_to(direction < 0 ? 0 : schedule_->step_count()); }
  void play_or_pause();  // at the end: from the start
  void pause() { plays_ = false; }
  void forget();
  bool tick(double now, double speed);  // true if the cursor moved

 private:
  std::shared_ptr<const Schedule> schedule_;  // of the call; null: none is open
  std::int64_t cursor_ = 0;
  bool plays_ = false;
  double last_tick_ = -1, owed_ = 0;  // seconds; steps that are due, a fraction of one included
};

}  // namespace tilewalk
