#include "pages/compare/blocks/axis_ticks.h"

#include <fmt/format.h>

#include <cmath>

#include "base/units.h"

namespace tilewalk {
namespace {

double step_of(double range, int most) {
  const double least = range / most, decade = std::pow(10, std::floor(std::log10(least)));
  for (const double times : {1.0, 2.0, 5.0})
    if (decade * times >= least * (1 - 1e-9)) return decade * times;
  return decade * 10;
}

std::string text_of(double value, double step) {
  if (value == 0) return "0";
  if (value >= 1e15) return fmt::format("{:.3g}", value);
  if (step >= 1) return format_count(std::llround(value));
  return format_fixed(value, int(std::ceil(-std::log10(step) - 1e-9)));
}

}  // namespace

TickedAxis ticked_axis(double first, double last, std::string unit, int most) {
  TickedAxis out{.unit = std::move(unit), .ticks = {}};
  const double range = last - first;
  if (!(range > 0) || !std::isfinite(range)) return out;
  const double step = step_of(range, most), from = std::ceil(first / step - 1e-6);
  for (int i = 0; i <= most; ++i)
    if (const double value = (from + i) * step; value <= last + step * 1e-6)
      out.ticks.push_back({(value - first) / range, text_of(value, step)});
  return out;
}

TickedAxis time_axis(double longest_ms) {
  if (longest_ms >= 1000) return ticked_axis(0, longest_ms / 1000, "s");
  if (longest_ms < 1) return ticked_axis(0, longest_ms * 1000, "µs");
  return ticked_axis(0, longest_ms, "ms");
}

}  // namespace tilewalk
