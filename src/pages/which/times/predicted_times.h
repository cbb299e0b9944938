// Times of a call's backends where no race ran it: FLASH and cuDNN as the fast kernel here with the schedule of that
// backend's kernel, times the recorded ratio of the two on that card (measured/win_pair.h; 1 where none is
// recorded), MATH as eager attention. EFFICIENT is not modelled: CUTLASS's kernel has no schedule here. Beside
// them rates that others published for such calls, as ranges of time.
// Not modelled: an attn_mask (the times are of the call without it), dropout, training.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "dispatch/call.h"
#include "dispatch/rule_table.h"
#include "measured/race_times.h"

namespace tilewalk {

struct PredictedTime {
  SdpaBackend backend{};
  std::optional<double> ms = {};                         // none: not modelled
  std::string as = {};                                   // "FA-2 by Tilewalk"
  double ratio = 1;                                      // of ms to that kernel's time
  std::string lacks_room = {};                           // why it does not fit the card's memory; empty: it does
  double published_least_ms = 0, published_most_ms = 0;  // 0: nothing is published
  std::string published_source = {};
};

// One for each of these backends; empty where the model of time does not cover the call or its GPU. races: of the
// call's card, or null.
std::vector<PredictedTime> predicted_times(const Call&, const RuleTable&, const std::vector<SdpaBackend>&,
                                           const RaceTimes* races);

}  // namespace tilewalk
