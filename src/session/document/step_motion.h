// Progress of the current step's motion: t from 0, at the start of the step, to 1, when all that it changes has
// arrived. Times are passed in; no clock is read. t changes only the picture: the state is always the one after the
// step.
#pragma once

namespace tilewalk {

inline constexpr double kSecondsOfKeyStep = 0.25;  // of a step by a key
inline constexpr double kLeastMotion = 0.08;       // seconds; a shorter motion is left out
inline constexpr double kSecondsOfHealing = 1.8;   // a mistake is taken back
inline constexpr double kSecondsOfFade = 0.12;     // with reduced motion: values fade in
inline constexpr double kMotionFrame = 1.0 / 30;   // seconds between two frames of a motion

// The share of the way after a share of the time, both from 0 to 1: slow at both ends.
inline double eased(double share) { return share * share * (3 - 2 * share); }

class StepMotion {
 public:
  void begin(double seconds);  // starts at the next time passed in
  void rest() { *this = {}; }
  void hold_at(double t);    // until the next step
  void advance(double now);  // seconds
  double t() const { return t_; }
  bool moves() const { return seconds_ > 0; }  // t grows with time
  bool is_held() const { return held_; }
  bool is_slow() const { return held_ || seconds_ > kSecondsOfKeyStep; }  // slow enough to follow with the eye

 private:
  double t_ = 1, seconds_ = 0, began_ = -1;
  bool held_ = false;
};

}  // namespace tilewalk
