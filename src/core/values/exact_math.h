// exp2 and log2 in fp32, the same bits everywhere: fused multiply-adds, adds, multiplies, one division, and integer
// operations, in this order. The one header that the replay and the kernels share.
//
// exp2f_exact: x = n + f, n the nearest integer (ties to even), |f| <= 1/2; a degree-6 polynomial in f by Horner;
// 2^n applied in two factors, the first exact, so underflow is gradual and rounds once. Overflow gives +inf,
// exp2(-inf) = 0, NaN stays NaN. Largest error: kExp2MaxUlp units in the last place
// (tests/unit/core/values/exact_math_test). log2f_exact: for x > 0, x = 2^e m with m in [sqrt(1/2), sqrt 2); artanh
// series in (m - 1)/(m + 1). log2(0) = -inf, log2(+inf) = +inf, negative or NaN gives NaN. Compile with contraction off
// (-ffp-contract=off, -fmad=false).
#pragma once

#if defined(__CUDACC__)
#define TILEWALK_EXACT __host__ __device__ __forceinline__
#else
#include <bit>
#include <cmath>
#define TILEWALK_EXACT inline
#endif

namespace tilewalk::exact {

#if defined(__CUDA_ARCH__)
TILEWALK_EXACT float fma32(float a, float b, float c) { return __fmaf_rn(a, b, c); }
TILEWALK_EXACT unsigned bits_of(float x) { return __float_as_uint(x); }
TILEWALK_EXACT float float_of(unsigned bits) { return __uint_as_float(bits); }
#elif defined(__CUDACC__)
TILEWALK_EXACT float fma32(float a, float b, float c) { return ::fmaf(a, b, c); }
TILEWALK_EXACT unsigned bits_of(float x) { return __builtin_bit_cast(unsigned, x); }
TILEWALK_EXACT float float_of(unsigned bits) { return __builtin_bit_cast(float, bits); }
#else
TILEWALK_EXACT float fma32(float a, float b, float c) { return std::fma(a, b, c); }
TILEWALK_EXACT unsigned bits_of(float x) { return std::bit_cast<unsigned>(x); }
TILEWALK_EXACT float float_of(unsigned bits) { return std::bit_cast<float>(bits); }
#endif

inline constexpr float kExp2Coefficients[7] = {1.0f,           0x1.62e432p-1f,  0x1.ebfbe2p-3f, 0x1.c6ae72p-5f,
                                               0x1.3b270ep-7f, 0x1.5f7276p-10f, 0x1.470b4ap-13f};
inline constexpr float kExp2Shift = 0x1.8p23f;    // adding it rounds to the nearest integer
inline constexpr float kExp2Overflow = 128.0f;    // at or above: +inf
inline constexpr float kExp2Underflow = -150.0f;  // at or below: 0
inline constexpr double kExp2MaxUlp = 1.02;       // measured over every float
// 2/ln 2 x {1, 1/3, 1/5, 1/7, 1/9}
inline constexpr float kLog2Coefficients[5] = {0x1.715476p+1f, 0x1.ec709ep-1f, 0x1.2776c6p-1f, 0x1.a61764p-2f,
                                               0x1.484b14p-2f};
inline constexpr double kLog2MaxUlp = 2.98;  // measured over every positive float, worst near 1

TILEWALK_EXACT float exp2f_exact(float x) {
  if (x != x) return x;
  if (x >= kExp2Overflow) return float_of(0x7f800000u);
  if (x <= kExp2Underflow) return 0.0f;
  const float shifted = x + kExp2Shift;
  const float n = shifted - kExp2Shift;
  const float f = x - n;
  // Scalars, because device code may use a host array's elements only in constant expressions.
  constexpr float c0 = kExp2Coefficients[0], c1 = kExp2Coefficients[1], c2 = kExp2Coefficients[2],
                  c3 = kExp2Coefficients[3], c4 = kExp2Coefficients[4], c5 = kExp2Coefficients[5],
                  c6 = kExp2Coefficients[6];
  float p = c6;
  p = fma32(p, f, c5);
  p = fma32(p, f, c4);
  p = fma32(p, f, c3);
  p = fma32(p, f, c2);
  p = fma32(p, f, c1);
  p = fma32(p, f, c0);
  const int whole = int(bits_of(shifted)) - int(0x4b400000u);  // n as an integer, -150 to 128
  const int half = whole >> 1;
  const float first = float_of(unsigned(half + 127) << 23);
  const float second = float_of(unsigned(whole - half + 127) << 23);
  return (p * first) * second;
}

TILEWALK_EXACT float log2f_exact(float x) {
  if (!(x >= 0.0f)) return float_of(0x7fc00000u);
  if (x == 0.0f) return float_of(0xff800000u);
  unsigned bits = bits_of(x);
  if (bits == 0x7f800000u) return x;
  int exponent = 0;
  if (bits < 0x00800000u) {
    bits = bits_of(x * 0x1p23f);
    exponent = -23;
  }
  const int shift = int(bits - 0x3f3504f3u) >> 23;  // mantissa into [sqrt(1/2), sqrt 2)
  exponent += shift;
  const float m = float_of(bits - (unsigned(shift) << 23));
  const float s = (m - 1.0f) / (m + 1.0f);
  const float s2 = s * s;
  constexpr float c0 = kLog2Coefficients[0], c1 = kLog2Coefficients[1], c2 = kLog2Coefficients[2],
                  c3 = kLog2Coefficients[3], c4 = kLog2Coefficients[4];
  float p = c4;
  p = fma32(p, s2, c3);
  p = fma32(p, s2, c2);
  p = fma32(p, s2, c1);
  p = fma32(p, s2, c0);
  return fma32(s, p, float(exponent));
}

}  // namespace tilewalk::exact
