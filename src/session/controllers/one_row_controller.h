// One row of O, explained: scores, weights, the average of V, and what changes where the keys come tile by tile. A
// sequence of short scenes, each with a sentence; the stops are their ends.
#pragma once

#include "session/controllers/animation_controller.h"

namespace tilewalk {

enum class RowScene {
  Scores,   // of the row of Q with each row of K
  Weights,  // of the scores, less the best
  Average,  // of the rows of V: the row of O
  Tiles,    // the keys whose tiles come before that of a better score
  Better,   // its tile
  Shrink,   // of the sums so far, by α
  Rest      // the other tiles, and the row of O
};
inline constexpr int kRowScenes = 7;
inline constexpr double kSecondsOfRow = 18.2;

// The scene at t: at an end that scene, and not the next.
RowScene row_scene_at(double t);
double row_scene_share(double t);  // of that scene's time, 0 to 1
double end_of(RowScene);           // t

class OneRowController final : public AnimationController {
 public:
  using AnimationController::AnimationController;

 private:
  std::vector<double> stops() const override;
  double length() const override { return kSecondsOfRow; }
  double way(double share) const override { return share; }
  bool stays_at_stops() const override { return true; }
};

}  // namespace tilewalk
