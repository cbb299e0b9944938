// An animation: one number t decides its picture, from 0, the beginning, to 1, the end; no value depends on t. It
// plays, pauses, and moves from stop to stop by the keys of the walk. The caller passes times in; no clock is read.
#pragma once

#include <optional>
#include <vector>

#include "session/command/command.h"

namespace tilewalk {

inline constexpr double kSecondsBetweenStops = 0.8;  // by a key or a click

class AnimationController {
 public:
  explicit AnimationController(const Document& document) : document_(document) {}
  virtual ~AnimationController() = default;

  bool open() const { return open_; }
  double t() const { return t_; }
  bool moves() const { return seconds_ > 0; }
  bool plays() const { return moves() && plays_; }  // to the end, not to a stop
  std::optional<double> seconds_to_next() const;    // until t changes; nothing while it rests

  void begin();  // opens at t 0, and plays
  void close();
  void hold(double t);     // opens there, and rests
  void move_to(double t);  // within a short time; while it is open
  bool carry_out(Action);  // false: the action does not concern it
  bool tick(double now);   // true if t changed

 protected:
  const Document& document() const { return document_; }

 private:
  virtual std::vector<double> stops() const = 0;    // in their order
  virtual double seconds_from(double t) const = 0;  // that it plays from there to the end
  virtual double way(double share) const = 0;       // the share of a move's way after a share of its time
  // t after a share of the time that it plays from there.
  virtual double played(double from, double share) const { return from + (1 - from) * way(share); }
  // With reduced motion a move jumps; if true, playing jumps from stop to stop, and stays at each for its time.
  virtual bool stays_at_stops() const = 0;
  virtual bool carry_out_own(Action) { return false; }

  void start(double to, double seconds, bool plays);
  void play_or_pause();
  void step(int direction);  // to the next stop, or to the one before
  double at_stop(double t) const;

  const Document& document_;
  bool open_ = false;
  bool plays_ = false;
  double t_ = 0;
  double from_ = 0, to_ = 1, seconds_ = 0, began_ = -1;  // of the move; seconds_ 0: none
};

}  // namespace tilewalk
