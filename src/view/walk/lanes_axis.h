// The axis of modelled lanes: cycles, with long waiting folded. Where the work of a small problem is a sliver of its
// time, each stretch in which every lane waits is drawn as wide as its label; work keeps one scale on both sides.
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
  // fold: the drawn length of each folded wait, in cycles
  LanesAxis(std::vector<FoldedWait> waits, double fold) : waits_(std::move(waits)), fold_(fold) {}
  double at(double cycles) const;  // the place on the axis, in drawn cycles
  const std::vector<FoldedWait>& waits() const { return waits_; }

 private:
  std::vector<FoldedWait> waits_;
  double fold_ = 0;
};

// The axes of one or two pictures on one scale, `px` wide, each fold `fold_px` wide if there is space for it.
struct SharedAxes {
  std::vector<LanesAxis> axes;  // one for each timeline
  double cycles_wide = 1;       // drawn cycles of the widest
};
SharedAxes shared_axes(const std::vector<const Timeline*>&, bool folds, double px, double fold_px);

}  // namespace tilewalk
