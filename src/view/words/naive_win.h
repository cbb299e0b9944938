// The speed-up over naive attention that is the figure of a page: in the same words on the roofline, at a race and at
// the kernel that PyTorch runs.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "core/problem/contender.h"
#include "measured/win_pair.h"

namespace tilewalk {

// How many times as fast as naive attention a kernel is, how both times are known, and the speed-up of one other kernel
// beside it. Times are of one call.
struct NaiveWin {
  std::string fast, naive = contender_row(Contender::Naive).title;  // their names
  double fast_ms = 0, naive_ms = 0;
  const char* kind = "recorded";  // how both times are known
  std::string where = {};         // " there", " without the mask"
  std::string stands_for = {};    // ", with the schedule that runs,": after the kernel's name
  std::string other = {};         // the other kernel's name; empty: none
  bool other_leads = false;       // no kernel with a time of that kind is faster than the other one
  double other_ms = 0;            // of the same kind

  // Adds the fastest recorded kernel of those that `by` runs, naive excepted.
  void add_other(const std::vector<PredictionRow>& rows, RunBy by);
  std::string figure() const;  // "4.7×"
  // "as fast as naive, recorded: FA-3 by Tilewalk takes 1.93 ms, naive 9.04 ms. PyTorch cuDNN is 3.9× as fast."; where
  // it leads: "… The fastest here, FA-3 by Tilewalk, is 4.7× as fast."
  std::string words() const;
};

// The speed-up of the call, as every page and verb give it (measured/win_pair.h); beside a recorded one stands the
// fastest recorded kernel of PyTorch. None where one of the two has no time. Rows of one call on a GPU.
std::optional<NaiveWin> call_win(const std::vector<PredictionRow>&);

// The same of another tiled kernel over naive. Precondition: this one and naive have a time.
NaiveWin win_over_naive(const PredictionRow& fast, const std::vector<PredictionRow>&);

}  // namespace tilewalk
