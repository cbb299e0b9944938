// The zoom out of one tile: a camera that moves from one tile of the scores out to a long context's matrix. One number
// t, from 0, the tile, to 1, the largest square, decides the picture; nothing is computed by it. Times are passed in;
// no clock is read. With reduced motion t jumps.
#pragma once

#include <optional>

#include "session/command/command.h"
#include "session/document/zoom_squares.h"

namespace tilewalk {

inline constexpr double kSecondsOfZoom = 12;           // from 0 to 1
inline constexpr double kSecondsBetweenSquares = 0.8;  // by a key or a click

class EndlessZoomController {
 public:
  explicit EndlessZoomController(const Document& document) : document_(document) {}

  bool open() const { return open_; }
  double t() const { return t_; }
  bool moves() const { return seconds_ > 0; }
  std::optional<double> seconds_to_next() const;  // until t changes; nothing while it rests
  std::vector<ZoomSquare> squares() const { return zoom_squares(document_.problem); }

  void begin();  // opens at the tile, and moves out
  void close();
  void hold(double t);     // opens there, and rests
  void move_to(double t);  // within a short time; while it is open
  void zoom_by(double factor);
  bool carry_out(Action);  // false: the action is not the zoom's
  bool tick(double now);   // true if t changed

 private:
  void start(double to, double seconds);
  void play_or_pause();
  void step(int direction);  // to the next square, or to the one before

  const Document& document_;
  bool open_ = false;
  double t_ = 0;
  double from_ = 0, to_ = 1, seconds_ = 0, began_ = -1;  // of the move; seconds_ 0: none
};

}  // namespace tilewalk
