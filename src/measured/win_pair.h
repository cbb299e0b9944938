// The pair of kernels whose times give the speed-up of a call, the same on every page and in every verb: the fastest
// tiled kernel here of that machine (FA-3, else FA-2; on a processor cpu_tiled) over naive attention there (cuBLAS's
// products and one softmax in place, S in 16 bits; on a processor OpenBLAS's). Forward passes. Any other pair is named
// beside it: PyTorch's kernels are recorded at some calls alone, and a walk may have an older schedule.
#pragma once

#include <optional>
#include <vector>

#include "measured/prediction_error.h"

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

}  // namespace tilewalk
