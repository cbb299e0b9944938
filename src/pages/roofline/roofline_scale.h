// Scale of the log-log roofline chart: FLOP a byte on the x axis, FLOP/s on the y axis, both as fractions of the plot.
#pragma once

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/units.h"
#include "pages/roofline/roofline_page.h"

namespace tilewalk {

inline double on_log(double value, double least, double most) {
  return std::clamp(std::log(value / least) / std::log(most / least), 0.0, 1.0);
}

struct RooflineScale {
  double least_x = 1, most_x = 32768;  // FLOP a byte
  double least_y = 0, most_y = 0;      // in the page's unit of FLOP/s
  double unit = 1e12;                  // FLOP/s in one unit

  double x(double intensity) const { return on_log(intensity, least_x, most_x); }
  double y(double rate) const { return on_log(rate, least_y, most_y); }
  PlotPoint place(double intensity, double flops, double ms) const {
    return {x(intensity), y(flops / (ms * 1e-3) / unit)};
  }

  template <class Axes>  // with x_ticks and y_ticks
  void add_ticks(Axes& page) const {
    for (double at = 1; at <= most_x; at *= 10)
      page.x_ticks.push_back({x(at), at >= 1000 ? format_count(std::int64_t(at)) : fmt::format("{:g}", at)});
    for (double decade = std::pow(10, std::floor(std::log10(least_y))); decade <= most_y; decade *= 10)
      for (const double step : {1.0, 2.0, 5.0})
        if (const double at = decade * step; at > least_y * 1.01 && at < most_y * 0.99)
          page.y_ticks.push_back({y(at), at >= 1000 ? format_count(std::int64_t(at)) : fmt::format("{:g}", at)});
  }
  // Adds the slope of a memory, up to the roof of `peak` (in the page's unit), and that roof.
  void add_roofs(RooflinePage& page, double bytes_per_s, double peak, std::string slope, std::string flat) const {
    const double ridge = peak * unit / bytes_per_s, first = least_y * unit / bytes_per_s;
    page.roofs.push_back({std::move(slope), x(std::max(first, least_x)),
                          y(std::max(least_y, least_x * bytes_per_s / unit)), x(ridge), y(peak), false});
    page.roofs.push_back({std::move(flat), x(ridge), y(peak), 1, y(peak), false});
  }
  void add_lower(RooflinePage& page, double bytes_per_s, double rate, std::string label) const {
    page.roofs.push_back({std::move(label), x(rate * unit / bytes_per_s), y(rate), 1, y(rate), true});
  }
};

}  // namespace tilewalk
