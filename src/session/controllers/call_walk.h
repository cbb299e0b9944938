// The position in the call that the page of comparison shows, where that call is another problem than the walk. Until
// somebody moves it, lanes follow the walk, at the same share of its tile visits, and show the middle of the call
// beside a walk that has not begun; pipes show the end of the lighter side, waves the middle of the call. Playing runs
// through the whole call in kSecondsOfCall, at the usual speed. Times are passed in; no clock is read.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>

#include "core/walk/schedule.h"
#include "session/document/document.h"

namespace tilewalk {

inline constexpr double kSecondsOfCall = 20;
inline constexpr double kShareOfClick = 0.05;  // of the call, by a key while presenting

// Returns where a call starts: after the same share of tile visits as the walk; beside a walk at its start in a thread
// block near the middle, after its first visits.
std::int64_t first_cursor(const Schedule& walk, std::int64_t cursor, const Schedule& call);
// In the pipes: where the side that moves fewer bytes ends. pinned: the other side; null where it breaks a rule.
std::int64_t first_cursor_in_pipes(const Schedule& call, const Schedule* pinned);

class CallWalk {
 public:
  // The call's position. Empty until a person moves this call.
  std::optional<std::int64_t> cursor(const Problem& call) const;
  bool plays() const { return plays_; }

  // Call this before the moves below, once for each call.
  void open(std::shared_ptr<const Schedule> call, std::int64_t cursor) {
    schedule_ = std::move(call), cursor_ = cursor;
  }
  void move_to(std::int64_t cursor);
  void step(StepUnit, int direction);
  void move_by(double share);  // of the call, from −1 to 1; at least one step
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
