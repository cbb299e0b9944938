// The time axis that all modelled lanes of a page share, in cycles: one x is one cycle in every lane. Where later
// visits are not simulated, the axis ends before the first missing one. Where a small problem works for less than half
// of its time, each long stretch in which no lane works is drawn shorter.
#pragma once

#include <vector>

#include "core/chip/timeline.h"

namespace tilewalk {

struct FoldedWait {
  double start = 0, end = 0;  // cycles
};

// Cycles up to which a timeline lacks no work: to its end, or, where later visits are not simulated, to the end of the
// first lane's last load.
double complete_until(const Timeline&);

class LanesAxis {
 public:
  // folds: false leaves every wait at its length
  LanesAxis(const std::vector<const Timeline*>&, bool folds);
  double at(double cycles) const;        // the place on the axis, in drawn cycles
  double cycles_at(double drawn) const;  // the reverse
  double end() const { return end_; }    // the last cycle on the axis
  double wide() const { return wide_; }  // its length, in drawn cycles
  const std::vector<FoldedWait>& waits() const { return waits_; }

 private:
  std::vector<FoldedWait> waits_;
  double factor_ = 1;  // the drawn length of a folded cycle
  double end_ = 1, wide_ = 1;
};

}  // namespace tilewalk
