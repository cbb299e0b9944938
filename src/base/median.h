// The middle of some values, or the mean of the two middle ones; 0 if there are none.
#pragma once

#include <algorithm>
#include <vector>

namespace tilewalk {

inline double median(std::vector<double> values) {
  if (values.empty()) return 0;
  std::sort(values.begin(), values.end());
  const std::size_t half = values.size() / 2;
  return values.size() % 2 ? values[half] : (values[half - 1] + values[half]) / 2;
}

}  // namespace tilewalk
