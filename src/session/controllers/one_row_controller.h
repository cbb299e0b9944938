// One row of O, explained: scores, weights, the average of V, and what changes where the keys come tile by tile. A
// sequence of short scenes, each with a sentence; the stops are their ends.
#pragma once

#include "session/controllers/animation_controller.h"
#include "session/controllers/row_scenes.h"

namespace tilewalk {

// The scene at t: at an end that scene, and not the next.
RowScene row_scene_at(double t);
double row_scene_share(double t);  // of that scene's time, 0 to 1
double end_of(RowScene);           // t

class OneRowController final : public AnimationController {
 public:
  using AnimationController::AnimationController;

 private:
  std::vector<double> stops() const override;
  double seconds_from(double t) const override;
  double way(double share) const override { return share; }
  double played(double from, double share) const override;
  bool stays_at_stops() const override { return true; }
};

}  // namespace tilewalk
