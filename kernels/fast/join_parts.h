// Joins the parts of divided tiles (Parts, forward_args.h): O = sum of 2^(L_p - L) O_p, L = log2 of the sum of 2^L_p.
// A row is a warp's, or a thread block's where it has many parts: its warps share them and add in shared memory. With
// few rows that is worthwhile from four parts on, since a warp waits for each. The order depends on nothing but the
// problem, so that a second run gives equal bytes.
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

constexpr int kFewParts = 8, kFewPartsOfFewRows = 3, kFewRowsToJoin = 1056;

template <class T, int D, int kRows, bool kCausal, int kWarps>
__global__ void __launch_bounds__(32 * kJoinWarps) join_parts(const ForwardArgs a, const int rows) {
#if __CUDA_ARCH__ >= 900
  asm volatile("griddepcontrol.wait;" ::: "memory");  // until the kernel before this one is done
#endif
  const int warp = threadIdx.x / 32, lane = threadIdx.x % 32, each = a.parts.each;
  const int index = blockIdx.x * (kJoinWarps / kWarps) + warp / kWarps, share = warp % kWarps;
  if (index >= a.parts.tiles * rows) return;
  const int divided = index / rows, in_tile = index % rows;
  const WorkTile work = work_tile<kCausal>(a, a.parts.first + divided);
  const int row = work.q_tile * kRows + in_tile;
  if (row >= a.n_q) return;
  const long long place = (long long)divided * each * kRows + in_tile;  // of part 0; the next is kRows later
  const float* const lse = a.parts.lse + place;
  const float* const from = a.parts.o + place * D + lane;

  float top = minus_infinity();
  for (int p = lane; p < each; p += 32) top = fmaxf(top, lse[(long long)p * kRows]);
#pragma unroll
  for (int step = 16; step > 0; step /= 2) top = fmaxf(top, __shfl_xor_sync(0xffffffffu, top, step));
  const float base = top == minus_infinity() ? 0.0f : top;

  float sum = 0.0f, o[D / 32];
#pragma unroll
  for (int i = 0; i < D / 32; ++i) o[i] = 0.0f;
#pragma unroll 4
  for (int p = share; p < each; p += kWarps) {
    const float weight = exp2_approx(lse[(long long)p * kRows] - base);
    const float* const part = from + (long long)p * kRows * D;
    sum += weight;
#pragma unroll
    for (int i = 0; i < D / 32; ++i) o[i] = fmaf(weight, part[32 * i], o[i]);
  }
  if constexpr (kWarps > 1) {  // then a thread block has one row
    __shared__ float of_warps[kWarps][D], sums[kWarps];
#pragma unroll
    for (int i = 0; i < D / 32; ++i) of_warps[warp][lane + 32 * i] = o[i];
    if (lane == 0) sums[warp] = sum;
    __syncthreads();
    if (warp > 0) return;
#pragma unroll
    for (int w = 1; w < kWarps; ++w) {
      sum += sums[w];
#pragma unroll
      for (int i = 0; i < D / 32; ++i) o[i] += of_warps[w][lane + 32 * i];
    }
  }
  const float inverse = sum == 0.0f ? 0.0f : 1.0f / sum;
  const long long to = (long long)work.head * a.n_q + row;
#pragma unroll
  for (int i = 0; i < D / 32; ++i) {
    const int x = lane + 32 * i;
    if (x < a.d) ((T*)a.o)[to * a.d + x] = rounded<T>(o[i] * inverse);
  }
  if (lane == 0 && a.lse != nullptr) a.lse[to] = sum == 0.0f ? plus_infinity() : base + log2f(sum);
}

// After a kernel that wrote parts, on its stream. a.q_tiles is that kernel's.
template <class T, int D, int kRows, bool kCausal>
cudaError_t launch_join(const ForwardArgs& a, cudaStream_t stream) {
  const int rows = a.n_q < kRows ? a.n_q : kRows;
  cudaLaunchAttribute early{};  // its blocks may be placed before the other kernel is done
  early.id = cudaLaunchAttributeProgrammaticStreamSerialization;
  early.val.programmaticStreamSerializationAllowed = 1;
  cudaLaunchConfig_t config{};
  const unsigned all = (unsigned)(a.parts.tiles * rows);
  const bool few = a.parts.each <= (all < kFewRowsToJoin ? kFewPartsOfFewRows : kFewParts);
  config.gridDim = dim3(few ? (all + kJoinWarps - 1) / kJoinWarps : all);
  config.blockDim = dim3(32 * kJoinWarps);
  config.stream = stream;
  config.attrs = &early;
  int device = 0, major = 0;
  cudaGetDevice(&device);
  cudaDeviceGetAttribute(&major, cudaDevAttrComputeCapabilityMajor, device);
  config.numAttrs = major >= 9;
  return few ? cudaLaunchKernelEx(&config, &join_parts<T, D, kRows, kCausal, 1>, a, rows)
             : cudaLaunchKernelEx(&config, &join_parts<T, D, kRows, kCausal, kJoinWarps>, a, rows);
}

}  // namespace tilewalk::fast
