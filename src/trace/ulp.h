// The distance of two fp32 values in units of the last place: the number of steps between representable values from one
// to the other. Both zeros are the same place, so x to -x is twice x to 0; infinity is one step past the largest finite
// value. nullopt if either is NaN.
#pragma once

#include <bit>
#include <cmath>
#include <cstdint>
#include <optional>

namespace tilewalk {

inline std::optional<std::int64_t> ulp_distance(float a, float b) {
  if (std::isnan(a) || std::isnan(b)) return std::nullopt;
  const auto place = [](float x) {
    const std::uint32_t bits = std::bit_cast<std::uint32_t>(x);
    const std::int64_t magnitude = bits & 0x7fffffffu;
    return bits >> 31 ? -magnitude : magnitude;
  };
  const std::int64_t distance = place(a) - place(b);
  return distance < 0 ? -distance : distance;
}

}  // namespace tilewalk
