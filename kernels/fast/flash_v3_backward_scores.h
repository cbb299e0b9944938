// Scores of flash_v3's backward kernels, transposed: a warpgroup has 64 keys by kRows queries in its accumulators, a
// thread two keys (8 apart) and two queries in each group of eight.
#pragma once

#include "kernels/fast/flash_v3_backward_loading.h"
#include "kernels/fast/softmax.h"

namespace tilewalk::fast {

// Hides keys past the last, and those that a row does not see. key: this thread's first.
template <bool kCausal, int kRows>
__device__ inline void hide_keys(const ForwardArgs& a, float (&s)[kRows / 2], int first_row, int key) {
#pragma unroll
  for (int h = 0; h < 2; ++h) {
    // The first row that sees the key, from this thread's first column.
    int sees = kCausal ? key + 8 * h - a.causal_shift - first_row - 2 * ((int)threadIdx.x & 3) : 0;
    if (key + 8 * h >= a.n_kv) sees = kRows;
#pragma unroll
    for (int j = 0; j < kRows / 8; ++j) {
#pragma unroll
      for (int e = 0; e < 2; ++e) {
        if (8 * j + e < sees) s[4 * j + 2 * h + e] = minus_infinity();
      }
    }
  }
}

// P^T = 2^(c S^T - L), two queries a word. stats: L of the thread's first two queries.
template <class T, int kRows>
__device__ inline void weights_of(uint32_t (&p)[kRows / 16][4], const float (&s)[kRows / 2], float c, uint32_t stats) {
#pragma unroll
  for (int j = 0; j < kRows / 8; ++j) {
    const float2 lse = load_pair(stats + 32 * j);
#pragma unroll
    for (int h = 0; h < 2; ++h) {
      const int e = 4 * j + 2 * h;
      p[j / 2][j % 2 * 2 + h] = pack2<T>(exp2_approx(fmaf(s[e], c, -lse.x)), exp2_approx(fmaf(s[e + 1], c, -lse.y)));
    }
  }
}

// dS^T = P^T (dP^T - D); d_s may be p. stats: D of the thread's first two queries.
template <class T, int kRows>
__device__ inline void score_gradients(uint32_t (&d_s)[kRows / 16][4], const uint32_t (&p)[kRows / 16][4],
                                       const float (&d_p)[kRows / 2], uint32_t stats) {
#pragma unroll
  for (int j = 0; j < kRows / 8; ++j) {
    const float2 dot = load_pair(stats + 32 * j);
#pragma unroll
    for (int h = 0; h < 2; ++h) {
      const int e = 4 * j + 2 * h;
      const float2 weight = unpack2<T>(p[j / 2][j % 2 * 2 + h]);
      d_s[j / 2][j % 2 * 2 + h] = pack2<T>(weight.x * (d_p[e] - dot.x), weight.y * (d_p[e + 1] - dot.y));
    }
  }
}

}  // namespace tilewalk::fast
