// The pair of kernels whose times give the speed-up of a call, the same on every page and in every verb: the fastest
// tiled kernel here of that machine (FA-3, else FA-2; on a processor cpu_tiled) over naive attention there (cuBLAS's
// products and one softmax in place, S in 16 bits; on a processor OpenBLAS's). Forward passes. Any other pair is named
// beside it: PyTorch's kernels are recorded at some calls alone, and a walk may have an older schedule.
#pragma once

#include <optional>
#include <vector>

#include "measured/prediction_error.h"
#include "measured/race_times.h"

namespace tilewalk {

struct WinPair {
  const PredictionRow *fast = nullptr, *naive = nullptr;  // rows of the argument
  double fast_ms = 0, naive_ms = 0;
  bool recorded = false;  // both times were recorded; else both are modelled, where the model covers both kernels
  double win() const { return naive_ms / fast_ms; }
};

// None where no tiled kernel or naive has a time.
std::optional<WinPair> win_pair(const std::vector<PredictionRow>&);
// The same of another tiled kernel over naive. Precondition: both rows have a time.
WinPair win_pair(const PredictionRow& fast, const PredictionRow& naive);

// The row of the fastest tiled kernel here that runs the call on a GPU: FA-3's, else FA-2's; null where neither does.
const PredictionRow* fastest_here(const std::vector<PredictionRow>&);

// How many times as long a kernel of PyTorch takes as the kernel here with its schedule: by the races, where both were
// recorded. Of the head size nearest to the call's that was recorded at three lengths, with its mask, between the two
// nearest lengths by log N. Only races whose calls fill the card count. Not modelled: few heads, and N below 1,024,
// where ratios differ more. Of the 20 calls of seed 80040 from N = 1,024 (NVIDIA H200, times of one run), which no race
// is of, cuDNN's ratio to FA-3 is 9 % off in the median, and FLASH's to FA-2 7 %; a ratio of 1 is 18 % off for both.
// None where the two have no schedule in common, or no race has both at a call with that mask. Forward passes.
std::optional<double> recorded_ratio(const RaceTimes&, Contender other, Contender own, const AttentionCall&);

// The modelled time of the kernel here with that schedule times the ratio; none without races, model or ratio, and
// where launches may set the time. rows: of one call on the races' card.
std::optional<double> ms_by_ratio(const std::vector<PredictionRow>&, Contender other, const RaceTimes*);

}  // namespace tilewalk
