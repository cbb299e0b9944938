// Joins the parts of divided tiles (Parts, forward_args.h): O = sum of 2^(L_p - L) O_p, L = log2 of the sum of 2^L_p.
// One thread block a row: its warps share the parts among them, then add in shared memory, in an order that depends on
// nothing but the problem, so that a second run gives equal bytes.
#pragma once

#include "kernels/fast/forward_args.h"
#include "kernels/fast/softmax.h"

namespace tilewalk::fast {

constexpr int kJoinWarps = 4;

template <class T>
__device__ inline T rounded(float x);
template <>
__device__ inline __half rounded<__half>(float x) {
  return __float2half_rn(x);
}
template <>
__device__ inline __nv_bfloat16 rounded<__nv_bfloat16>(float x) {
  return __float2bfloat16_rn(x);
}

template <class T, int D, int kRows, bool kCausal>
__global__ void __launch_bounds__(32 * kJoinWarps) join_parts(const ForwardArgs a, const int rows) {
#if __CUDA_ARCH__ >= 900
  asm volatile("griddepcontrol.wait;" ::: "memory");  // until the kernel before this one is done
#endif
  const int divided = blockIdx.x / rows, in_tile = blockIdx.x % rows;
  const WorkTile work = work_tile<kCausal>(a, a.parts.first + divided);
  const int row = work.q_tile * kRows + in_tile;
  if (row >= a.n_q) return;
  const int warp = threadIdx.x / 32, lane = threadIdx.x % 32, each = a.parts.each;
  const long long place = (long long)divided * each * kRows + in_tile;  // of part 0; the next is kRows later
  const float* const lse = a.parts.lse + place;
  const float* const from = a.parts.o + place * D;

  float top = minus_infinity();
  for (int p = lane; p < each; p += 32) top = fmaxf(top, lse[(long long)p * kRows]);
#pragma unroll
  for (int step = 16; step > 0; step /= 2) top = fmaxf(top, __shfl_xor_sync(0xffffffffu, top, step));
  const float base = top == minus_infinity() ? 0.0f : top;

  float sum = 0.0f, o[D / 32];
#pragma unroll
  for (int i = 0; i < D / 32; ++i) o[i] = 0.0f;
#pragma unroll 4
  for (int p = warp; p < each; p += kJoinWarps) {
    const float weight = exp2_approx(lse[(long long)p * kRows] - base);
    const float* const part = from + (long long)p * kRows * D + lane;
    sum += weight;
#pragma unroll
    for (int i = 0; i < D / 32; ++i) o[i] = fmaf(weight, part[32 * i], o[i]);
  }

  __shared__ float of_warps[kJoinWarps][D], sums[kJoinWarps];
#pragma unroll
  for (int i = 0; i < D / 32; ++i) of_warps[warp][lane + 32 * i] = o[i];
  if (lane == 0) sums[warp] = sum;
  __syncthreads();
  sum = 0.0f;
#pragma unroll
  for (int w = 0; w < kJoinWarps; ++w) sum += sums[w];
  const float inverse = sum == 0.0f ? 0.0f : 1.0f / sum;
  const long long to = (long long)work.head * a.n_q + row;
  for (int x = threadIdx.x; x < a.d; x += 32 * kJoinWarps) {
    float value = 0.0f;
#pragma unroll
    for (int w = 0; w < kJoinWarps; ++w) value += of_warps[w][x];
    ((T*)a.o)[to * a.d + x] = rounded<T>(value * inverse);
  }
  if (threadIdx.x == 0 && a.lse != nullptr) a.lse[to] = sum == 0.0f ? plus_infinity() : base + log2f(sum);
}

// After a kernel that wrote parts, on its stream. a.q_tiles is that kernel's.
template <class T, int D, int kRows, bool kCausal>
cudaError_t launch_join(const ForwardArgs& a, cudaStream_t stream) {
  const int rows = a.n_q < kRows ? a.n_q : kRows;
  cudaLaunchAttribute early{};  // its blocks may be placed before the other kernel is done
  early.id = cudaLaunchAttributeProgrammaticStreamSerialization;
  early.val.programmaticStreamSerializationAllowed = 1;
  cudaLaunchConfig_t config{};
  config.gridDim = dim3((unsigned)(a.parts.tiles * rows));
  config.blockDim = dim3(32 * kJoinWarps);
  config.stream = stream;
  config.attrs = &early, config.numAttrs = 1;
  int device = 0, major = 0;
  cudaGetDevice(&device);
  cudaDeviceGetAttribute(&major, cudaDevAttrComputeCapabilityMajor, device);
  if (major < 9) config.numAttrs = 0;
  return cudaLaunchKernelEx(&config, &join_parts<T, D, kRows, kCausal>, a, rows);
}

}  // namespace tilewalk::fast
