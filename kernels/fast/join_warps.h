// The end of a thread block whose four warps each have all rows of a head and keys of their own, in the builds of few
// rows: joins the warps' sums and stores O and L of a whole tile, or those of a part.
#pragma once

#include "core/problem/build_choice.h"
#include "kernels/fast/forward_args.h"
#include "kernels/fast/join_parts.h"
#include "kernels/fast/softmax.h"

namespace tilewalk::fast {

// sums, in shared memory: [kWarps][rows of the tile][d + 2], columns of O, then m and l, written before a barrier of
// the block. D: columns of a part in memory.
template <class T, int d, int D, int kWarps>
__device__ inline void join_warps(const ForwardArgs& a, const WorkItem& item, bool whole, const float* sums) {
  constexpr int kRows = kFewRows.rows, kWidth = d + 2;
  static_assert(32 * kWarps == 8 * kRows);
  const int row = threadIdx.x / 8, column = threadIdx.x % 8;
  if (row >= a.n_q) return;
  float top = minus_infinity(), sum = 0.0f, weights[kWarps];
#pragma unroll
  for (int w = 0; w < kWarps; ++w) top = fmaxf(top, sums[(w * kRows + row) * kWidth + d]);
#pragma unroll
  for (int w = 0; w < kWarps; ++w) {
    const float* const from = sums + (w * kRows + row) * kWidth + d;
    weights[w] = from[0] == minus_infinity() ? 0.0f : exp2_approx((from[0] - top) * a.c);
    sum = fmaf(weights[w], from[1], sum);
  }
  const float inverse = sum == 0.0f ? 0.0f : 1.0f / sum;
  const long long place = (long long)item.slot * kRows + row, to = (long long)item.tile * a.n_q + row;
  if (column == 0) {
    if (!whole) a.parts.lse[place] = part_lse(top, sum, a.c);
    if (whole && a.lse != nullptr) a.lse[to] = row_lse(top, sum, a.c);
  }
#pragma unroll
  for (int j = 0; j < d / 8; ++j) {
    const int x = 8 * j + column;
    float value = 0.0f;
#pragma unroll
    for (int w = 0; w < kWarps; ++w) value = fmaf(weights[w], sums[(w * kRows + row) * kWidth + x], value);
    if (whole)
      ((T*)a.o)[to * d + x] = rounded<T>(value * inverse);
    else
      a.parts.o[place * D + x] = value * inverse;
  }
}

}  // namespace tilewalk::fast
