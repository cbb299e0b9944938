// How far the motion of the step at hand has come: t from 0, as the step begins, to 1, when all that it changes has
// arrived. Times are passed in; no clock is read. t changes nothing but the picture: the state is the one after the
// step all the time.
#pragma once

namespace tilewalk {

inline constexpr double kSecondsOfKeyStep = 0.25;  // of a step that a key asked for
inline constexpr double kLeastMotion = 0.08;       // seconds; a shorter motion is left out
inline constexpr double kSecondsOfFade = 0.12;     // where motion is reduced: values appear
inline constexpr double kMotionFrame = 1.0 / 30;   // seconds from one picture of a motion to the next

class StepMotion {
 public:
  void begin(double seconds);  // from the next time that is passed in
  void rest() { *this = {}; }
  void hold_at(double t);    // until the next step
  void advance(double now);  // seconds
  double t() const { return t_; }
  bool moves() const { return seconds_ > 0; }  // t grows by itself
  bool is_held() const { return held_; }

 private:
  double t_ = 1, seconds_ = 0, began_ = -1;
  bool held_ = false;
};

}  // namespace tilewalk
