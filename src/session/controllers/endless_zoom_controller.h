// The zoom out of one score: a camera that moves from one score, at t 0, out to the matrices of all heads, at t 1. Its
// stops are its squares.
#pragma once

#include "session/controllers/animation_controller.h"
#include "session/document/window_call.h"
#include "session/document/zoom_squares.h"

namespace tilewalk {

inline constexpr double kSecondsOfZoom = 16;  // from 0 to 1

class EndlessZoomController final : public AnimationController {
 public:
  EndlessZoomController(const Document& document, const WindowCall& call)
      : AnimationController(document), call_(call) {}

  std::vector<ZoomSquare> squares() const { return zoom_squares(document().problem, wall()); }
  HeadsWall wall() const { return wall_of(call_.call.heads, call_.call.batch); }
  void zoom_by(double factor);

 private:
  std::vector<double> stops() const override;
  double seconds_from(double t) const override { return kSecondsOfZoom * (1 - t); }
  double way(double share) const override;
  bool stays_at_stops() const override { return false; }
  bool carry_out_own(Action) override;

  const WindowCall& call_;
};

}  // namespace tilewalk
