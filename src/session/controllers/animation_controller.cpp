#include "session/controllers/animation_controller.h"

#include <algorithm>
#include <cmath>

#include "session/document/step_motion.h"

namespace tilewalk {
namespace {

constexpr double kSame = 1e-9;

double within(double t) { return std::isfinite(t) ? std::clamp(t, 0.0, 1.0) : 1; }

}  // namespace

std::optional<double> AnimationController::seconds_to_next() const {
  return open_ && moves() ? std::optional(kMotionFrame) : std::nullopt;
}

void AnimationController::start(double to, double seconds, bool plays) {
  from_ = t_, to_ = within(to), seconds_ = seconds, began_ = -1, plays_ = plays;
  if ((document_.view.motion || (plays && stays_at_stops())) && from_ != to_ && seconds > 0) return;
  t_ = to_;
  seconds_ = 0;
}

void AnimationController::begin() {
  open_ = true;
  t_ = 0;
  start(1, seconds_from(0), true);
}

void AnimationController::close() { open_ = false, seconds_ = 0; }

void AnimationController::hold(double t) {
  open_ = true;
  t_ = within(t);
  seconds_ = 0;
}

void AnimationController::move_to(double t) {
  if (open_) start(t, kSecondsBetweenStops, false);
}

void AnimationController::play_or_pause() {
  if (moves()) return void(seconds_ = 0);
  if (t_ >= 1) t_ = 0;
  start(1, seconds_from(t_), true);
}

void AnimationController::step(int direction) {
  const double at = moves() ? to_ : t_;  // several presses go on from where the last one leads
  const double here = plays() ? t_ : at;
  std::optional<double> next;
  for (const double stop : stops()) {
    if (direction > 0 && stop > here + kSame && !next) next = stop;
    if (direction < 0 && stop < here - kSame) next = stop;
  }
  if (next) move_to(*next);
}

bool AnimationController::carry_out(Action action) {
  switch (action) {
    case Action::PlayPause: return play_or_pause(), true;
    case Action::StepForward:
    case Action::TileForward:
    case Action::QTileForward: return step(1), true;
    case Action::StepBack:
    case Action::TileBack:
    case Action::QTileBack: return step(-1), true;
    case Action::First: return move_to(0), true;
    case Action::Last: return move_to(1), true;
    default: return carry_out_own(action);
  }
}

double AnimationController::at_stop(double t) const {
  for (const double stop : stops())
    if (stop >= t - kSame) return stop;
  return 1;
}

bool AnimationController::tick(double now) {
  if (!open_ || !moves()) return false;
  if (began_ < 0) began_ = now;
  const double share = std::clamp((now - began_) / seconds_, 0.0, 1.0);
  t_ = plays_ ? played(from_, share) : from_ + (to_ - from_) * way(share);
  if (!document_.view.motion) t_ = at_stop(t_);
  if (share >= 1) t_ = to_, seconds_ = 0;
  return true;
}

}  // namespace tilewalk
