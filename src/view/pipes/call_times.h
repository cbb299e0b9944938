// The times of the two calls that are compared, each as a whole: a recorded pair where a race ran both, else a
// predicted one. A walk that writes S to HBM has the time of the naive attention that races, whose S has 16 bits; any
// other that of the fast kernel with its schedule.
#pragma once

#include <optional>

#include "core/predict/compare.h"
#include "measured/prediction_error.h"
#include "view/pipes/pipes_time.h"

namespace tilewalk {

// Times of naive attention and of the other side, as they race; none where the two sides are alike or no prediction
// covers the call.
struct NaivePair {
  double naive_ms = 0, tiled_ms = 0;
  bool recorded = false;
  bool fast = false;  // predicted: the other side's time is a fast kernel's, not this walk's
};
std::optional<NaivePair> naive_pair(const Comparison&, const WalkPrediction& left, const WalkPrediction& right,
                                    const RaceTimes*);

std::optional<CallTimes> call_times(const Comparison&, const RaceTimes*);

}  // namespace tilewalk
