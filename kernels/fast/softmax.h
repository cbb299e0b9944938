// The online softmax of one fragment: 16 rows (mma.sync) or a warp's 16 of 64 rows (wgmma) by kCols columns of scores.
// In both, a thread holds two rows, r = lane / 4 and r + 8: s[4 j + 0, 1] are columns 8 j + 2 (lane % 4) + 0, 1 of row
// r, s[4 j + 2, 3] the same columns of row r + 8. The four threads of a quad share their rows. Scores are raw products;
// one fused multiply-add applies the factor c (scale x log2 e) and subtracts m.
#pragma once

#include <cuda_bf16.h>
#include <cuda_fp16.h>

#include <cstdint>

namespace tilewalk::fast {

constexpr float kLazyLimit = 8.0f;  // log2 units: how far a score may exceed m before m is raised

__device__ inline float minus_infinity() { return __int_as_float(0xff800000); }
__device__ inline float plus_infinity() { return __int_as_float(0x7f800000); }

__device__ inline float exp2_approx(float x) {
  float y;
  asm("ex2.approx.ftz.f32 %0, %1;" : "=f"(y) : "f"(x));
  return y;
}

template <class T>
__device__ inline uint32_t pack2(float low, float high);
template <>
__device__ inline uint32_t pack2<__half>(float low, float high) {
  uint32_t r;
  asm("cvt.rn.f16x2.f32 %0, %1, %2;" : "=r"(r) : "f"(high), "f"(low));
  return r;
}
template <>
__device__ inline uint32_t pack2<__nv_bfloat16>(float low, float high) {
  uint32_t r;
  asm("cvt.rn.bf16x2.f32 %0, %1, %2;" : "=r"(r) : "f"(high), "f"(low));
  return r;
}

template <class T>
__device__ inline float2 unpack2(uint32_t pair);
template <>
__device__ inline float2 unpack2<__half>(uint32_t pair) {
  return __half22float2(*(const __half2*)&pair);
}
template <>
__device__ inline float2 unpack2<__nv_bfloat16>(uint32_t pair) {
  return float2{__uint_as_float(pair << 16), __uint_as_float(pair & 0xffff0000u)};
}

// Masks columns beyond each row's last visible key. limit: last visible column, counted from the tile's first.
template <int kCols>
__device__ inline void mask_scores(float (&s)[kCols / 2], int limit_0, int limit_1) {
  const int column = 2 * (threadIdx.x & 3);
#pragma unroll
  for (int j = 0; j < kCols / 8; ++j) {
#pragma unroll
    for (int e = 0; e < 2; ++e) {
      if (8 * j + e > limit_0 - column) s[4 * j + e] = minus_infinity();
      if (8 * j + e > limit_1 - column) s[4 * j + 2 + e] = minus_infinity();
    }
  }
}

// s becomes P = 2^(c s - c m); m and l include the tile afterwards (l of this thread's columns alone); alpha is the
// factor for O. Returns whether any row of the warp needs a rescale. With kLazy, m is raised only when a score exceeds
// it by more than kLazyLimit: P stays below 2^kLazyLimit, the result is the same in real arithmetic, and O is rarely
// rescaled.
template <int kCols, bool kLazy>
__device__ inline bool softmax_step(float (&s)[kCols / 2], float (&m)[2], float (&l)[2], float (&alpha)[2], float c) {
  bool shrink = false;
#pragma unroll
  for (int h = 0; h < 2; ++h) {
    float top = fmaxf(s[2 * h], s[2 * h + 1]);
#pragma unroll
    for (int j = 1; j < kCols / 8; ++j) top = fmaxf(top, fmaxf(s[4 * j + 2 * h], s[4 * j + 2 * h + 1]));
    top = fmaxf(top, __shfl_xor_sync(0xffffffffu, top, 1));
    top = fmaxf(top, __shfl_xor_sync(0xffffffffu, top, 2));
    top = fmaxf(top, m[h]);
    alpha[h] = 1.0f;
    if (kLazy ? (top - m[h]) * c > kLazyLimit : top > m[h]) {
      alpha[h] = exp2_approx((m[h] - top) * c);  // 0 for the first keys that the row sees
      m[h] = top;
      shrink = true;
    }
    // A row that has seen no key keeps m = -inf; 0 in its place makes its P = 2^-inf = 0.
    const float base = m[h] == minus_infinity() ? 0.0f : m[h] * c;
    float sum = 0.0f;
#pragma unroll
    for (int j = 0; j < kCols / 8; ++j) {
#pragma unroll
      for (int e = 2 * h; e < 2 * h + 2; ++e) {
        s[4 * j + e] = exp2_approx(fmaf(s[4 * j + e], c, -base));
        sum += s[4 * j + e];
      }
    }
    l[h] = fmaf(l[h], alpha[h], sum);
  }
  return __any_sync(0xffffffffu, shrink);
}

template <int kCount>
__device__ inline void shrink_rows(float (&o)[kCount], const float (&alpha)[2]) {
#pragma unroll
  for (int j = 0; j < kCount / 4; ++j) {
    o[4 * j] *= alpha[0];
    o[4 * j + 1] *= alpha[0];
    o[4 * j + 2] *= alpha[1];
    o[4 * j + 3] *= alpha[1];
  }
}

__device__ inline float quad_sum(float x) {
  x += __shfl_xor_sync(0xffffffffu, x, 1);
  return x + __shfl_xor_sync(0xffffffffu, x, 2);
}

// Of a part of a row's keys: -inf where none of them is visible, so that the part weighs nothing.
__device__ inline float part_lse(float m, float l, float c) {
  return l == 0.0f ? minus_infinity() : fmaf(m, c, log2f(l));
}

__device__ inline float row_lse(float m, float l, float c) {
  return l == 0.0f ? plus_infinity() : fmaf(m, c, log2f(l));
}

}  // namespace tilewalk::fast
