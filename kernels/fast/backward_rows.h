// The two small kernels around flash_v2's backward pass: one prepares D and dQ of each row, one finishes dQ.
#pragma once

#include "kernels/fast/flash_v2.h"
#include "kernels/fast/softmax.h"

namespace tilewalk::fast {

// D = rowsum(dO O), and zeros for the sums of dQ. 16 threads a row, 8 columns each at a time.
template <class T>
__global__ void row_dots(const BackwardArgs b, long long rows) {
  const long long row = ((long long)blockIdx.x * blockDim.x + threadIdx.x) / 16;
  const int d = b.forward.d, first = threadIdx.x % 16 * 8;
  float sum = 0.0f;
  for (int x = first; row < rows && x < d; x += 128) {
    const uint4 left = *(const uint4*)((const T*)b.d_o + row * d + x);
    const uint4 right = *(const uint4*)((const T*)b.forward.o + row * d + x);
#pragma unroll
    for (int e = 0; e < 8; ++e) sum = fmaf(float(((const T*)&left)[e]), float(((const T*)&right)[e]), sum);
    float4* const zeros = (float4*)(b.dq_sum + row * d + x);
    zeros[0] = zeros[1] = float4{0.0f, 0.0f, 0.0f, 0.0f};
  }
#pragma unroll
  for (int offset = 8; offset > 0; offset /= 2) sum += __shfl_xor_sync(0xffffffffu, sum, offset);
  if (row < rows && first == 0) b.row_dot[row] = sum;
}

// One thread per 8 columns. In the sums, the 16 columns of a quad of lanes are in lane order (add_four).
template <class T>
__global__ void round_dq(const BackwardArgs b, long long chunks) {
  const long long at = (long long)blockIdx.x * blockDim.x + threadIdx.x;
  if (at >= chunks) return;
  const int d = b.forward.d, chunk = (int)(at % (d / 8)), x = chunk / 2 * 16;
  const bool woven = x + 16 <= d;
  const float* const from = b.dq_sum + at / (d / 8) * d + x + (woven ? chunk % 2 * 2 : 0);
  uint32_t out[4];
#pragma unroll
  for (int lane = 0; lane < 4; ++lane) {
    const float2 sum = *(const float2*)(from + lane * (woven ? 4 : 2));
    out[lane] = pack2<T>(sum.x * b.scale, sum.y * b.scale);
  }
  ((uint4*)b.d_q)[at] = uint4{out[0], out[1], out[2], out[3]};
}

}  // namespace tilewalk::fast
