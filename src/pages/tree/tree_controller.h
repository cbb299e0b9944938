// The page of the family tree: the chosen member, and its loop, which plays once when the member or the page is shown.
#pragma once

#include <algorithm>
#include <iterator>
#include <optional>
#include <vector>

#include "session/command/command.h"
#include "session/controllers/animation_controller.h"
#include "session/document/document.h"
#include "session/document/step_motion.h"
#include "session/document/words.h"

namespace tilewalk {

inline constexpr double kSecondsOfLoop = 4;

// The visits of the chosen member's loop: at t 0 none, at 1 all.
class LoopController final : public AnimationController {
 public:
  using AnimationController::AnimationController;

 private:
  std::vector<double> stops() const override { return {0, 1}; }
  double seconds_from(double t) const override { return kSecondsOfLoop * (1 - t); }
  double way(double share) const override { return share; }
  bool stays_at_stops() const override { return false; }
};

class TreeController {
 public:
  explicit TreeController(const Document& document) : document_(document), loop_(document) {}

  TreeMember member() const { return member_; }
  double loop_t() const { return loop_.open() ? loop_.t() : 1; }
  void choose(TreeMember member) {
    member_ = member;
    play_when_shown();
  }
  bool step_presented(StepUnit, int direction) {  // to the next member, while the page is presented
    choose(TreeMember(std::clamp(int(member_) + direction, 0, int(std::size(kTreeWords)) - 1)));
    return true;
  }
  void turned_to(Page page) { page == Page::Tree ? play_when_shown() : rest(); }
  void begin_presenting() { turned_to(document_.view.page); }
  void hold(double t) {
    rest();
    loop_.hold(t);
  }
  bool tick(double now) {
    if (waits_ && !shown_at_) shown_at_ = now;
    if (waits_ && now > *shown_at_) waits_ = false, loop_.begin();  // in a picture off-screen no time passes
    return loop_.tick(now);
  }
  std::optional<double> seconds_to_next() const {
    return waits_ ? std::optional(kMotionFrame) : loop_.seconds_to_next();
  }

 private:
  void rest() {
    loop_.close();
    waits_ = false;
  }
  void play_when_shown() {
    rest();
    waits_ = document_.view.page == Page::Tree && document_.view.motion;
    shown_at_.reset();
  }

  const Document& document_;
  TreeMember member_ = TreeMember::Flash2;
  LoopController loop_;
  bool waits_ = false;
  std::optional<double> shown_at_;  // seconds
};

}  // namespace tilewalk
