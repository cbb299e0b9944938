// Stores a part of a divided tile (Parts, forward_args.h): O normalised, in fp32, and its L.
#pragma once

#include "kernels/fast/forward_args.h"
#include "kernels/fast/softmax.h"

namespace tilewalk::fast {

// O as softmax.h lays out a fragment. place: of the first of the thread's two rows, 8 apart, in Parts; row: its row of
// Q. Rows past the last are not stored.
template <int D>
__device__ inline void store_part(const ForwardArgs& a, const float (&o)[D / 2], const float (&m)[2],
                                  const float (&l)[2], long long place, int row) {
#pragma unroll
  for (int h = 0; h < 2; ++h) {
    const float sum = quad_sum(l[h]), inverse = sum == 0.0f ? 0.0f : 1.0f / sum;
    if (row + 8 * h >= a.n_q) continue;
    if (threadIdx.x % 4 == 0) a.parts.lse[place + 8 * h] = part_lse(m[h], sum, a.c);
    float2* const to = (float2*)(a.parts.o + (place + 8 * h) * D) + threadIdx.x % 4;
#pragma unroll
    for (int j = 0; j < D / 8; ++j) to[4 * j] = float2{o[4 * j + 2 * h] * inverse, o[4 * j + 2 * h + 1] * inverse};
  }
}

}  // namespace tilewalk::fast
