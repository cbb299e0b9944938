// What the window's call wins, in so few words that the last row of a class reads them: the same O, how many times
// fewer bytes, how many times as fast, each with two bars to scale. Bytes and times are of one pair of kernels
// (measured/win_pair.h): bytes as the walks of the call ask of HBM, which Compare and the last card have too; times as
// recorded, or by the model, which the words say.
#pragma once

#include <string>
#include <vector>

#include "core/problem/device_model.h"
#include "measured/prediction_error.h"

namespace tilewalk {

struct WinBar {
  std::string label;   // "naive 48.1 GiB"
  double share = 1;    // of the longest bar of its line
  int generation = 0;  // of the kernel's FlashAttention; 0: naive
};

struct WinLine {
  std::string figure;             // "4.7×"; empty: the line has words alone
  std::string words;              // "as fast."
  std::vector<WinBar> bars = {};  // naive's, then the fast kernel's, to scale: what the figure is the ratio of
  bool predicted = false;         // the bars' figures are the model's: they are drawn hollow
};

struct WinFrame {
  std::vector<WinLine> lines;
  std::string note;  // "H200 · N 8,192 · tiles 192×128, times recorded"
};

// rows: of one call on that card. Without a pair of kernels the frame has no lines.
WinFrame build_win_frame(const std::vector<PredictionRow>& rows, const DeviceModel& card);

}  // namespace tilewalk
