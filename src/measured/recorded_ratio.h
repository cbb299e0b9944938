// How many times as long a kernel of PyTorch takes as the kernel here with its schedule: by the races, where both were
// recorded. Of the head size nearest to the call's that was recorded at three lengths, with its mask, between the two
// nearest lengths by log N. Only races whose calls fill the card count. Not modelled: few heads, and N below 1,024,
// where ratios differ more. Of the 20 calls of seed 80040 from N = 1,024 (NVIDIA H200, times of one run), which no race
// is of, cuDNN's ratio to FA-3 is 9 % off in the median, and FLASH's to FA-2 7 %; a ratio of 1 is 18 % off for both.
#pragma once

#include <optional>

#include "measured/prediction_error.h"
#include "measured/race_times.h"

namespace tilewalk {

// True if both run the schedule of one generation of FlashAttention.
bool has_schedule_of(Contender own, Contender other);

// None where no race has both at a call with that mask. Forward passes.
std::optional<double> recorded_ratio(const RaceTimes&, Contender other, Contender own, const AttentionCall&);

// The modelled time of the kernel here with that schedule times the ratio; none without races, model or ratio. rows:
// of one call on the races' card.
std::optional<double> ms_by_ratio(const std::vector<PredictionRow>&, Contender other, const RaceTimes*);

}  // namespace tilewalk
