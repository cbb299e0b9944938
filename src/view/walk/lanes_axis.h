// The axis of modelled lanes: cycles, with long waiting folded. Where the work of a small problem is a sliver of its
// time, each stretch in which every lane waits is drawn shorter than it is. On both sides of a comparison work has one
// scale, and the whole lengths have the ratio of the times: only waits are shortened, each side's by its own factor.
#pragma once

#include <vector>

#include "core/chip/timeline.h"

namespace tilewalk {

struct FoldedWait {
  double start = 0, end = 0;  // cycles
};

// Stretches in which no lane works, each long enough to fold. Empty where lanes work for a good part of the time.
std::vector<FoldedWait> folded_waits(const Timeline&);

class LanesAxis {
 public:
  LanesAxis() = default;
  // factor: the drawn length of a folded cycle
  LanesAxis(std::vector<FoldedWait> waits, double factor) : waits_(std::move(waits)), factor_(factor) {}
  double at(double cycles) const;  // the place on the axis, in drawn cycles
  const std::vector<FoldedWait>& waits() const { return waits_; }

 private:
  std::vector<FoldedWait> waits_;
  double factor_ = 1;
};

// The axes of one or two pictures on one scale. Waits are folded on all sides or on none.
struct SharedAxes {
  std::vector<LanesAxis> axes;  // one for each timeline
  double cycles_wide = 1;       // drawn cycles of the widest
};
SharedAxes shared_axes(const std::vector<const Timeline*>&, bool folds);

}  // namespace tilewalk
