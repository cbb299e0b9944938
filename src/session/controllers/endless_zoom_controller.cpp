#include "session/controllers/endless_zoom_controller.h"

#include <algorithm>
#include <cmath>

#include "session/document/step_motion.h"

namespace tilewalk {
namespace {

double within_zoom(double t) { return std::isfinite(t) ? std::clamp(t, 0.0, 1.0) : 1; }

}  // namespace

std::optional<double> EndlessZoomController::seconds_to_next() const {
  return open_ && moves() ? std::optional(kMotionFrame) : std::nullopt;
}

void EndlessZoomController::start(double to, double seconds) {
  from_ = t_, to_ = within_zoom(to), seconds_ = seconds, began_ = -1;
  if (document_.view.motion && from_ != to_ && seconds > 0) return;
  t_ = to_;
  seconds_ = 0;
}

void EndlessZoomController::begin() {
  open_ = true;
  t_ = 0;
  start(1, kSecondsOfZoom);
}

void EndlessZoomController::close() { open_ = false, seconds_ = 0; }

void EndlessZoomController::hold(double t) {
  open_ = true;
  t_ = within_zoom(t);
  seconds_ = 0;
}

void EndlessZoomController::move_to(double t) {
  if (open_) start(t, kSecondsBetweenSquares);
}

void EndlessZoomController::zoom_by(double factor) { hold(t_ - std::log2(factor) / doublings(squares())); }

void EndlessZoomController::play_or_pause() {
  if (moves()) return void(seconds_ = 0);
  if (t_ >= 1) t_ = 0;
  start(1, kSecondsOfZoom * (1 - t_));
}

void EndlessZoomController::step(int direction) {
  const double at = moves() ? to_ : t_;  // several presses go on from where the last one leads
  const double here = moves() && seconds_ > kSecondsBetweenSquares ? t_ : at;
  constexpr double kSame = 1e-9;
  std::optional<double> next;
  for (const ZoomSquare& square : squares()) {
    if (direction > 0 && square.t > here + kSame && !next) next = square.t;
    if (direction < 0 && square.t < here - kSame) next = square.t;
  }
  if (next) move_to(*next);
}

bool EndlessZoomController::carry_out(Action action) {
  switch (action) {
    case Action::PlayPause: return play_or_pause(), true;
    case Action::StepForward:
    case Action::TileForward:
    case Action::QTileForward: return step(1), true;
    case Action::StepBack:
    case Action::TileBack:
    case Action::QTileBack: return step(-1), true;
    case Action::First:
    case Action::ZoomToTile: return move_to(0), true;
    case Action::Last:
    case Action::ZoomFit: return move_to(1), true;
    case Action::ZoomIn: return zoom_by(1.5), true;
    case Action::ZoomOut: return zoom_by(1 / 1.5), true;
    default: return false;
  }
}

bool EndlessZoomController::tick(double now) {
  if (!open_ || !moves()) return false;
  if (began_ < 0) began_ = now;
  const double share = std::clamp((now - began_) / seconds_, 0.0, 1.0);
  t_ = from_ + (to_ - from_) * eased(share);
  if (share >= 1) t_ = to_, seconds_ = 0;
  return true;
}

}  // namespace tilewalk
