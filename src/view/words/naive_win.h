// The speed-up over naive attention that is the figure of a page: in the same words on the roofline, at a race and at
// the kernel that PyTorch runs.
#pragma once

#include <string>
#include <vector>

#include "core/problem/contender.h"
#include "measured/prediction_error.h"

namespace tilewalk {

// How many times as fast as naive attention a kernel is, how both times are known, and the speed-up of one other kernel
// beside it. Times are of one call.
struct NaiveWin {
  std::string fast, naive = contender_row(Contender::Naive).title;  // their names
  double fast_ms = 0, naive_ms = 0;
  const char* kind = "recorded";  // how both times are known
  std::string where = {};         // " there", " without the mask"
  std::string other = {};         // the other kernel's name; empty: none
  double other_ms = 0;            // of the same kind

  // Adds the fastest recorded kernel of those that `by` runs, naive excepted.
  void add_other(const std::vector<PredictionRow>& rows, RunBy by);
  std::string figure() const;  // "4.7×"
  // "as fast as naive, recorded: FA-3 by Tilewalk takes 1.93 ms, naive 9.04 ms. PyTorch cuDNN is 3.9× as fast."
  std::string words() const;
};

// The speed-up of a row over naive, by recorded times where both were recorded, else by the model's. Beside a recorded
// one stands the fastest recorded kernel of PyTorch. Precondition: rows of one call, of which this one and naive have a
// time.
NaiveWin win_over_naive(const PredictionRow& fast, const std::vector<PredictionRow>&);

}  // namespace tilewalk
