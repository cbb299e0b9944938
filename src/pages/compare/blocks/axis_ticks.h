// Ticks of an axis that begins anywhere: 1, 2 or 5 times a power of ten apart, with their unit.
#pragma once

#include <string>
#include <vector>

namespace tilewalk {

struct AxisTick {
  double at = 0;  // fraction of the drawn axis
  std::string text;
};

struct TickedAxis {
  std::string unit;  // "ms"
  std::vector<AxisTick> ticks;
};

// From `first` at the left end to `last` at the right end, with at most `most` ticks. Empty where first ≥ last.
inline constexpr int kMostTicks = 9;
TickedAxis ticked_axis(double first, double last, std::string unit, int most = kMostTicks);
// From 0 to that time, in s, ms or µs.
TickedAxis time_axis(double longest_ms);

}  // namespace tilewalk
