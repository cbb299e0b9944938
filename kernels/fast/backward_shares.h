// The sums of dK and dV of some of the query heads that share K and V (shares_plan.h): stored in fp32 from a product's
// accumulators, and added by a kernel of their own.
#pragma once

#include "kernels/fast/flash_v2.h"
#include "kernels/fast/softmax.h"

namespace tilewalk::fast {

// The first query head of a share, whose numbers run over all K and V heads; that of the next number is its end. Shares
// of a K and V head differ by one query head at most.
__device__ inline int first_query_head(const BackwardArgs& b, int share) {
  const int heads = b.forward.heads_per_kv;
  return share / b.shares * heads + share % b.shares * heads / b.shares;
}

// Accumulators of 16 rows by D columns of a warp, as mma.sync and wgmma leave them, to rows first_row .. of `to`.
template <int D>
__device__ inline void store_sums(const float* acc, float factor, float* to, int first_row, int n, int d) {
  const int lane = threadIdx.x % 32;
#pragma unroll
  for (int h = 0; h < 2; ++h) {
    const int row = first_row + lane / 4 + 8 * h;
    if (row >= n) continue;
#pragma unroll
    for (int j = 0; j < D / 8; ++j) {
      const int x = 8 * j + 2 * (lane & 3), e = 4 * j + 2 * h;
      if (x < d) *(float2*)(to + (long long)row * d + x) = float2{acc[e] * factor, acc[e + 1] * factor};
    }
  }
}

// dK (blockIdx.y 0) or dV from their shares; 8 columns a thread. each: elements of one K or V head.
template <class T>
__global__ void __launch_bounds__(256) add_shares(const BackwardArgs b, long long each, long long chunks) {
  const long long at = (long long)blockIdx.x * 256 + threadIdx.x;
  if (at >= chunks) return;
  const long long element = at * 8, kv_head = element / each;
  const float* from = (blockIdx.y == 0 ? b.part_k : b.part_v) + kv_head * b.shares * each + element % each;
  float sums[8] = {};
  for (int share = 0; share < b.shares; ++share, from += each) {
    const float4 low = *(const float4*)from, high = *(const float4*)(from + 4);
    sums[0] += low.x, sums[1] += low.y, sums[2] += low.z, sums[3] += low.w;
    sums[4] += high.x, sums[5] += high.y, sums[6] += high.z, sums[7] += high.w;
  }
  ((uint4*)(blockIdx.y == 0 ? b.d_k : b.d_v))[at] = uint4{pack2<T>(sums[0], sums[1]), pack2<T>(sums[2], sums[3]),
                                                          pack2<T>(sums[4], sums[5]), pack2<T>(sums[6], sums[7])};
}

// kv_heads: of K and V, batch included.
template <class T>
void launch_add_shares(const BackwardArgs& b, long long kv_heads, cudaStream_t stream) {
  const long long each = (long long)b.forward.n_kv * b.forward.d, chunks = kv_heads * each / 8;
  add_shares<T><<<dim3((unsigned)((chunks + 255) / 256), 2), 256, 0, stream>>>(b, each, chunks);
}

}  // namespace tilewalk::fast
