// a * b + c in fp32, rounded once, for instruction sets without a fused multiply-add: four lanes by way of float64. The
// product of two fp32 values is exact in float64. Its sum with c may be inexact; then the lost part is found without
// error (two-sum), and the sum is rounded to odd: its last bit is 1 wherever something was lost. A second rounding, to
// fp32, then gives the result of a single rounding, subnormal results included, as float64 has more than two bits to
// spare. Infinities and NaN give the usual results. Compile with contraction off (-ffp-contract=off).
#pragma once

#include <bit>
#include <cmath>
#include <cstdint>

#ifdef __wasm_simd128__
#include <wasm_simd128.h>
#endif

namespace tilewalk::exact {

using FloatLanes = float __attribute__((vector_size(16)));
#ifdef __wasm_simd128__

// WebAssembly intrinsics: two lanes of float64 at a time. For plain vectors clang generates four times as many
// instructions.
__attribute__((always_inline)) inline v128_t fused_pair(v128_t a, v128_t b, v128_t c) {
  const v128_t product = wasm_f64x2_mul(wasm_f64x2_promote_low_f32x4(a), wasm_f64x2_promote_low_f32x4(b));
  const v128_t term = wasm_f64x2_promote_low_f32x4(c);
  const v128_t sum = wasm_f64x2_add(product, term);
  const v128_t of_term = wasm_f64x2_sub(sum, product);
  const v128_t rest =
      wasm_f64x2_add(wasm_f64x2_sub(product, wasm_f64x2_sub(sum, of_term)), wasm_f64x2_sub(term, of_term));
  const v128_t zero = wasm_i64x2_const(0, 0);
  const v128_t inexact = wasm_f64x2_gt(wasm_f64x2_abs(rest), zero);
  const v128_t too_far = wasm_v128_and(wasm_u64x2_shr(wasm_v128_xor(rest, sum), 63), inexact);  // 1 or 0
  const v128_t odd = wasm_v128_and(inexact, wasm_i64x2_const(1, 1));
  return wasm_f32x4_demote_f64x2_zero(wasm_v128_or(wasm_i64x2_sub(sum, too_far), odd));
}

__attribute__((always_inline)) inline FloatLanes fused_lanes(FloatLanes a, FloatLanes b, FloatLanes c) {
  const auto upper = [](v128_t x) __attribute__((always_inline)) { return wasm_i32x4_shuffle(x, x, 2, 3, 2, 3); };
  const v128_t x = v128_t(a), y = v128_t(b), z = v128_t(c);
  const v128_t low = fused_pair(x, y, z), high = fused_pair(upper(x), upper(y), upper(z));
  return FloatLanes(wasm_i32x4_shuffle(low, high, 0, 1, 4, 5));
}

#else

using DoubleLanes = double __attribute__((vector_size(32)));
using BitLanes = std::int64_t __attribute__((vector_size(32)));

__attribute__((always_inline)) inline FloatLanes fused_lanes(FloatLanes a, FloatLanes b, FloatLanes c) {
  const DoubleLanes product = __builtin_convertvector(a, DoubleLanes) * __builtin_convertvector(b, DoubleLanes);
  const DoubleLanes term = __builtin_convertvector(c, DoubleLanes);
  const DoubleLanes sum = product + term;
  const DoubleLanes of_term = sum - product;
  const DoubleLanes rest = (product - (sum - of_term)) + (term - of_term);
  // As masks: all bits are ones where true. A NaN, the rest of an infinite sum, is neither above nor below 0.
  const BitLanes inexact = (rest > 0.0) | (rest < 0.0);
  const BitLanes too_far = (BitLanes(rest) ^ BitLanes(sum)) < 0;  // the sum was rounded away from 0
  const BitLanes bits = (BitLanes(sum) + (too_far & inexact)) | (inexact & 1);
  return __builtin_convertvector(DoubleLanes(bits), FloatLanes);
}

#endif

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
