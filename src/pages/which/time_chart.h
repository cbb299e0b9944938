// The times of a call on one axis: PyTorch's backends in the order in which it tries them, then the kernels that they
// are compared with (naive, and the fastest tiled kernel here). A hollow bar is not that kernel's own recorded time:
// predicted, of the call without its attn_mask, or of a kernel with the same steps; its tag says which.
#pragma once

#include <string>
#include <vector>

#include "measured/prediction_error.h"
#include "pages/compare/blocks/axis_ticks.h"
#include "pages/which/which_model.h"

namespace tilewalk {

struct TimeBar {
  std::optional<std::size_t> card = {};  // the backend's, in WhichModel::cards; none: a kernel to compare with
  std::string name;                      // "cuDNN", "naive"
  std::string time = {};                 // "2.29 ms"; empty: not known, and the tag says why
  std::string speed = {};                // "3.9×", of naive; empty where naive or this has no time
  double share = 0;                      // of the axis
  bool hollow = false;
  std::string tag = {};
  double published_from = 0, published_to = 0;  // shares of the axis; 0: no published time
};

struct TimeChart {
  std::string title;  // "Recorded for this very call on an H200, forward"
  std::vector<TimeBar> bars;
  TickedAxis axis;
};

// Without bars where no backend has a time. rows: of the call; empty where its time is not modelled.
TimeChart build_time_chart(const WhichModel&, const std::vector<PredictionRow>& rows);

// Hides all times, for a lesson that asks for one.
void hide_times(TimeChart&);

}  // namespace tilewalk
