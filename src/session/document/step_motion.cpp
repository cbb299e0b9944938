#include "session/document/step_motion.h"

#include <algorithm>
#include <cmath>

namespace tilewalk {

void StepMotion::begin(double seconds) {
  rest();
  if (seconds < kLeastMotion) return;
  t_ = 0;
  seconds_ = seconds;
}

void StepMotion::hold_at(double t) {
  rest();
  t_ = std::isfinite(t) ? std::clamp(t, 0.0, 1.0) : 1;
  held_ = t_ < 1;
}

void StepMotion::advance(double now) {
  if (!moves()) return;
  if (began_ < 0) began_ = now;
  t_ = std::clamp((now - began_) / seconds_, 0.0, 1.0);
  if (t_ >= 1) rest();
}

}  // namespace tilewalk
