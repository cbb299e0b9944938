// The zoom out of one tile: a camera that moves from one tile of the scores, at t 0, out to a long context's matrix, at
// t 1. Its stops are its squares.
#pragma once

#include "session/controllers/animation_controller.h"
#include "session/document/zoom_squares.h"

namespace tilewalk {

inline constexpr double kSecondsOfZoom = 12;  // from 0 to 1

class EndlessZoomController final : public AnimationController {
 public:
  using AnimationController::AnimationController;

  std::vector<ZoomSquare> squares() const { return zoom_squares(document().problem); }
  void zoom_by(double factor);

 private:
  std::vector<double> stops() const override;
  double length() const override { return kSecondsOfZoom; }
  double way(double share) const override;
  bool stays_at_stops() const override { return false; }
  bool zoom(Action) override;
};

}  // namespace tilewalk
