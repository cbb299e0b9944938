// The arithmetic of one instruction: the compiler folds constants by it, and the machine runs it. fp32 with one
// rounding an operation; expf and logf are exp2f and log2f and one multiplication.
#pragma once

#include <cstdint>

#include "core/values/exact_math.h"

namespace tilewalk::lab {

inline constexpr float kLog2OfE = 1.44269504f, kLogOf2 = 0.693147181f;

inline float float_in(std::uint64_t bits) { return exact::float_of(std::uint32_t(bits)); }
inline std::uint64_t bits_in(float x) { return exact::bits_of(x); }
inline std::uint64_t int_bits(std::int64_t x) { return std::uint64_t(std::int64_t(std::int32_t(std::uint32_t(x)))); }
inline std::uint64_t unsigned_bits(std::int64_t x) { return std::uint32_t(x); }

// Whole numbers wrap around.
inline std::int64_t wrapped_sum(std::int64_t a, std::int64_t b) {
  return std::int64_t(std::uint64_t(a) + std::uint64_t(b));
}
inline std::int64_t wrapped_difference(std::int64_t a, std::int64_t b) {
  return std::int64_t(std::uint64_t(a) - std::uint64_t(b));
}
inline std::int64_t wrapped_product(std::int64_t a, std::int64_t b) {
  return std::int64_t(std::uint64_t(a) * std::uint64_t(b));
}
inline std::int64_t quotient(std::int64_t a, std::int64_t b) { return b == -1 ? wrapped_difference(0, a) : a / b; }
inline std::int64_t remainder_of(std::int64_t a, std::int64_t b) { return b == -1 ? 0 : a % b; }
inline std::int64_t shifted_left(std::int64_t a, std::int64_t by) { return std::int64_t(std::uint64_t(a) << by); }

// As PTX has them: a number if the other is NaN, and -0 below +0.
inline float max_of(float a, float b) {
  if (a != a) return b;
  if (b != b) return a;
  if (a == b) return exact::float_of(exact::bits_of(a) & exact::bits_of(b));
  return a > b ? a : b;
}
inline float min_of(float a, float b) {
  if (a != a) return b;
  if (b != b) return a;
  if (a == b) return exact::float_of(exact::bits_of(a) | exact::bits_of(b));
  return a < b ? a : b;
}

inline float exp_of(float x) { return exact::exp2f_exact(x * kLog2OfE); }
inline float log_of(float x) { return exact::log2f_exact(x) * kLogOf2; }

// As a GPU converts: towards zero, to the nearest value that the type has; NaN gives 0.
inline std::int64_t whole_of(float x, double low, double high, std::int64_t lowest, std::int64_t highest) {
  if (x != x) return 0;
  if (double(x) <= low) return lowest;
  if (double(x) >= high) return highest;
  return std::int64_t(x);
}
inline std::int64_t int_of(float x) { return whole_of(x, -0x1p31, 0x1p31, INT32_MIN, INT32_MAX); }
inline std::int64_t unsigned_of(float x) { return whole_of(x, 0, 0x1p32, 0, UINT32_MAX); }
inline std::int64_t long_of(float x) { return whole_of(x, -0x1p63, 0x1p63, INT64_MIN, INT64_MAX); }

}  // namespace tilewalk::lab
