// One tile visit on the panels of warps: what each warp does at t, from 0, where the visit begins, to 1, where the next
// one does. At rest at 1 the panels show which part of the tile each warp has.
#pragma once

#include "session/controllers/animation_controller.h"

namespace tilewalk {

inline constexpr double kSecondsOfWarpsVisit = 8;

class WarpsVisitController final : public AnimationController {
 public:
  using AnimationController::AnimationController;

 private:
  std::vector<double> stops() const override { return {0, 1}; }
  double seconds_from(double t) const override { return kSecondsOfWarpsVisit * (1 - t); }
  double way(double share) const override { return share; }
  bool stays_at_stops() const override { return false; }
};

}  // namespace tilewalk
