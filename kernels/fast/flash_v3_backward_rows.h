// The two small kernels around flash_v3's backward pass: one prepares L, D and dQ's sums of each tile of rows, one
// rounds the sums. S: BackwardShape.
#pragma once

#include "kernels/fast/flash_v2.h"
#include "kernels/fast/softmax.h"

namespace tilewalk::fast {

// L and D = rowsum(dO O) of a tile's rows, and zeros for its sums of dQ where it has them; a thread block a tile. Past
// the last row L is +inf, so that P is 0.
template <class T, class S>
__global__ void __launch_bounds__(256) backward_stats(const BackwardArgs b) {
  constexpr int kChunks = S::D > 128 ? 32 : S::D / 8, kPass = 256 / kChunks;
  let_next_begin();
  const ForwardArgs& a = b.forward;
  const int head = blockIdx.x / a.q_tiles, tile = blockIdx.x % a.q_tiles, chunk = threadIdx.x % kChunks;
  if constexpr (S::kSums) {
    float4* const zeros = (float4*)(b.dq_sum + (long long)blockIdx.x * S::kRows * S::D);
#pragma unroll
    for (int i = 0; i < S::kRows * S::D / 1024; ++i) {  // 16 rows by 64 columns
      if (!S::kShort || tile * S::kRows + i / 4 / S::kColumns * 64 + i % 4 * 16 < a.n_q)
        zeros[i * 256 + threadIdx.x] = float4{0.0f, 0.0f, 0.0f, 0.0f};
    }
  }
#pragma unroll
  for (int pass = 0; pass < S::kRows / kPass; ++pass) {
    const int within = pass * kPass + threadIdx.x / kChunks, row = tile * S::kRows + within;
    float sum = 0.0f;
    if (row < a.n_q && chunk * 8 < a.d) {
      const long long at = ((long long)head * a.n_q + row) * a.d + chunk * 8;
      const uint4 left = *(const uint4*)((const T*)b.d_o + at), right = *(const uint4*)((const T*)a.o + at);
#pragma unroll
      for (int e = 0; e < 8; ++e) sum = fmaf(float(((const T*)&left)[e]), float(((const T*)&right)[e]), sum);
    }
#pragma unroll
    for (int offset = kChunks / 2; offset > 0; offset /= 2) sum += __shfl_xor_sync(0xffffffffu, sum, offset);
    if (chunk == 0) {
      float* const to = b.row_dot + (long long)blockIdx.x * 2 * S::kRows + within;
      to[0] = row < a.n_q ? a.lse[(long long)head * a.n_q + row] : plus_infinity();
      to[S::kRows] = sum;
    }
  }
}

// dQ from its sums, which are in the order of sum_dq's registers; 16 columns a thread.
template <class T, class S>
__global__ void __launch_bounds__(256) round_sums(const BackwardArgs b, long long count) {
  wait_for_kernel_before();
  const ForwardArgs& a = b.forward;
  const long long at = (long long)blockIdx.x * 256 + threadIdx.x;
  if (at >= count) return;
  const int groups = (a.d + 15) / 16, group = (int)(at % groups);
  const long long row = at / groups;
  const int head = (int)(row / a.n_q), in_head = (int)(row % a.n_q), within = in_head % S::kRows, r = within % 64;
  const int unit = within / 64 * S::kColumns + group / 4, n = group % 4 * 2 + r / 8 % 2;
  const float4* const from =
      (const float4*)(b.dq_sum + ((long long)head * a.q_tiles + in_head / S::kRows) * S::kRows * S::D) +
      ((unit * 4 + r / 16) * 8 + n) * 32 + r % 8 * 4;
  uint32_t out[8];
#pragma unroll
  for (int lane = 0; lane < 4; ++lane) {
    const float4 sum = from[lane];
    out[lane] = pack2<T>(sum.x * b.scale, sum.y * b.scale);
    out[4 + lane] = pack2<T>(sum.z * b.scale, sum.w * b.scale);
  }
  uint4* const to = (uint4*)((T*)b.d_q + row * a.d + group * 16);
  to[0] = uint4{out[0], out[1], out[2], out[3]};
  if (group * 16 + 8 < a.d) to[1] = uint4{out[4], out[5], out[6], out[7]};
}

}  // namespace tilewalk::fast
