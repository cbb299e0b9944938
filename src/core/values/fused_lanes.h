// a * b + c in fp32, rounded once, where an instruction set has no fused multiply-add: four lanes by way of float64.
// The product of two fp32 values is exact in float64. Its sum with c may not be; then what was cut off is found without
// error (two-sum), and the sum is rounded to odd: its last bit is 1 wherever something is missing. Rounded again, to
// fp32, that gives what one rounding gives, subnormal results included, as float64 has more than two bits to spare.
// Infinities and NaN come out as they should. Compile with contraction off (-ffp-contract=off).
#pragma once

#include <bit>
#include <cmath>
#include <cstdint>

namespace tilewalk::exact {

using FloatLanes = float __attribute__((vector_size(16)));
using DoubleLanes = double __attribute__((vector_size(32)));
using BitLanes = std::int64_t __attribute__((vector_size(32)));

__attribute__((always_inline)) inline FloatLanes fused_lanes(FloatLanes a, FloatLanes b, FloatLanes c) {
  const DoubleLanes product = __builtin_convertvector(a, DoubleLanes) * __builtin_convertvector(b, DoubleLanes);
  const DoubleLanes term = __builtin_convertvector(c, DoubleLanes);
  const DoubleLanes sum = product + term;
  const DoubleLanes of_term = sum - product;
  const DoubleLanes rest = (product - (sum - of_term)) + (term - of_term);
  // As masks, all ones where it is so. A NaN, the rest of an infinite sum, is neither above nor below 0.
  const BitLanes inexact = (rest > 0.0) | (rest < 0.0);
  const BitLanes too_far = (BitLanes(rest) ^ BitLanes(sum)) < 0;  // the sum was rounded away from 0
  const BitLanes bits = (BitLanes(sum) + (too_far & inexact)) | (inexact & 1);
  return __builtin_convertvector(DoubleLanes(bits), FloatLanes);
}

// The same for one value.
inline float fused_by_double(float a, float b, float c) {
  const double product = double(a) * double(b), term = c;
  const double sum = product + term;
  const double of_term = sum - product;
  const double rest = (product - (sum - of_term)) + (term - of_term);
  if (!(rest > 0.0 || rest < 0.0)) return float(sum);
  const bool too_far = std::signbit(rest) != std::signbit(sum);
  return float(std::bit_cast<double>((std::bit_cast<std::uint64_t>(sum) - too_far) | 1u));
}

}  // namespace tilewalk::exact
