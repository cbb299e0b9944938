// The plot of the win over naive attention at each length N: its axes, its curves, and the predictions that they are
// drawn from. Positions are fractions of the plot, 0 at the left and at the bottom.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "measured/prediction_error.h"
#include "pages/roofline/plot_axes.h"
#include "pages/roofline/roofline_controller.h"

namespace tilewalk {

struct RooflinePage;

enum class RooflineHue { Naive, Tiled1, Tiled2, Tiled3, Guess };
RooflineHue hue_of(Contender);

struct WinCurve {
  std::string label;  // "FA-3 predicted"
  RooflineHue hue{};
  std::vector<PlotPoint> modelled, recorded;
  // Of a length between those of the curve; another row length may be slower or faster.
  std::optional<PlotPoint> chosen;
};

// The win over naive at every N of the list: many predictions, cached until the card or a call changes.
struct RooflineCache {
  struct Win {
    std::int64_t n = 0;
    Contender who{};
    std::optional<double> modelled, recorded;  // speed-up over naive
  };
  std::string device;
  std::optional<double> bandwidth, peak;
  std::vector<AttentionCall> calls;
  std::vector<Win> wins;
  struct Mark {  // of a method in the plot of the roofline, by prediction
    std::int64_t n = 0;
    Contender who{};
    double intensity = 0, flops = 0, ms = 0;
  };
  std::vector<Mark> marks;  // of the usual lengths, N rising
  struct ModelError {       // of the modelled speed-up over naive at the calls that were recorded on a card
    std::string device;
    Contender who{};
    Spread spread;
  };
  ModelError error = {};
};

// The axes of the plot over N: ticks, the position of the chosen length, and positions of points.
class WinScale {
 public:
  WinScale(RooflinePage&, const std::vector<std::int64_t>& lengths, double most, std::int64_t chosen);
  PlotPoint place(std::int64_t n, double win) const;

 private:
  double first_, last_, top_;
};

// Fills the cache again where the card or a call has changed.
void keep_wins(RooflineCache&, const RooflineController&, const DeviceModel&);
// The error of the model at recorded calls, computed once a card; empty where there are none.
const Spread& model_error(RooflineCache&, const RooflineController&, Contender who);
// Adds curves, axes, and what ends or bends the curves.
void add_wins(RooflinePage&, const RooflineController&, const std::vector<RooflineCache::Win>&);

}  // namespace tilewalk
