// The axes of a plot, as fractions of its rectangle: 0 at the left and at the bottom.
#pragma once

#include <string>
#include <vector>

namespace tilewalk {

struct PlotTick {
  double at = 0;
  std::string text;
};
struct PlotPoint {
  double x = 0, y = 0;
};
struct PlotAxes {
  std::vector<PlotTick> x_ticks, y_ticks;
  std::string x_title, y_title;
};

}  // namespace tilewalk
