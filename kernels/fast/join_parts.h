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

// Where the parts of a divided tile are in Parts: the first one's slot, and part p's at later + apart * p.
struct PartSlots {
  int count, first, later, apart;
};

// slots_of(n): of divided tile n.
template <class T, int D, int kRows, bool kCausal, int kWarps, class SlotsOf>
__device__ inline void join_row(const ForwardArgs& a, int rows, const SlotsOf& slots_of) {
#if __CUDA_ARCH__ >= 900
  asm volatile("griddepcontrol.wait;" ::: "memory");  // until the kernel before this one is done
#endif
  const int warp = threadIdx.x / 32, lane = threadIdx.x % 32;
  const int index = blockIdx.x * (kJoinWarps / kWarps) + warp / kWarps, share = warp % kWarps;
  if (index >= a.parts.tiles * rows) return;
  const int divided = index / rows, in_tile = index % rows;
  const WorkTile work = work_tile<kCausal>(a, a.parts.first + divided);
  const int row = work.q_tile * kRows + in_tile;
  if (row >= a.n_q) return;
  const PartSlots slots = slots_of(divided);
  if (slots.count == 0) return;
  const auto place = [&](int p) {
    return (long long)(p == 0 ? slots.first : slots.later + slots.apart * p) * kRows + in_tile;
  };

  float top = minus_infinity();
  for (int p = lane; p < slots.count; p += 32) top = fmaxf(top, a.parts.lse[place(p)]);
#pragma unroll
  for (int step = 16; step > 0; step /= 2) top = fmaxf(top, __shfl_xor_sync(0xffffffffu, top, step));
  const float base = top == minus_infinity() ? 0.0f : top;

  constexpr int kEach = (D + 31) / 32;  // columns of a lane; the last ones may lie past D
  float sum = 0.0f, o[kEach];
#pragma unroll
  for (int i = 0; i < kEach; ++i) o[i] = 0.0f;
#pragma unroll 4
  for (int p = share; p < slots.count; p += kWarps) {
    const float weight = exp2_approx(a.parts.lse[place(p)] - base);
    const float* const part = a.parts.o + place(p) * D + lane;
    sum += weight;
#pragma unroll
    for (int i = 0; i < kEach; ++i) o[i] = fmaf(weight, lane + 32 * i < D ? part[32 * i] : 0.0f, o[i]);
  }
  if constexpr (kWarps > 1) {  // then a thread block has one row
    __shared__ float of_warps[kWarps][32 * kEach], sums[kWarps];
#pragma unroll
    for (int i = 0; i < kEach; ++i) of_warps[warp][lane + 32 * i] = o[i];
    if (lane == 0) sums[warp] = sum;
    __syncthreads();
    if (warp > 0) return;
#pragma unroll
    for (int w = 1; w < kWarps; ++w) {
      sum += sums[w];
#pragma unroll
      for (int i = 0; i < kEach; ++i) o[i] += of_warps[w][lane + 32 * i];
    }
  }
  const float inverse = sum == 0.0f ? 0.0f : 1.0f / sum;
  const long long to = (long long)work.head * a.n_q + row;
#pragma unroll
  for (int i = 0; i < kEach; ++i) {
    const int x = lane + 32 * i;
    if (x < a.d) ((T*)a.o)[to * a.d + x] = rounded<T>(o[i] * inverse);
  }
  if (lane == 0 && a.lse != nullptr) a.lse[to] = sum == 0.0f ? plus_infinity() : base + log2f(sum);
}

template <class T, int D, int kRows, bool kCausal, int kWarps>
__global__ void __launch_bounds__(32 * kJoinWarps) join_parts(const ForwardArgs a, const int rows) {
  join_row<T, D, kRows, kCausal, kWarps>(a, rows, [&](int divided) {
    const int first = divided * a.parts.each;
    return PartSlots{a.parts.each, first, first, 1};
  });
}

template <class T, int D, int kRows, int kWarps>
__global__ void __launch_bounds__(32 * kJoinWarps)
    join_stretches(const ForwardArgs a, const int rows, const Stretches s) {
  join_row<T, D, kRows, false, kWarps>(a, rows, [&](int head) {
    const long long first = (long long)head * s.kv_tiles;
    const int block = stretch_of(s, first), last = stretch_of(s, first + s.kv_tiles - 1);
    return PartSlots{last == block ? 0 : last - block + 1, stretch_slot(s, head, block), 2 * block, 2};
  });
}

// Launches `join` for all rows of divided tiles, after a kernel that wrote parts, on its stream: one of two kernels,
// for a few parts a tile or for many.
template <class... Args>
cudaError_t launch_join_of(void (*of_few)(ForwardArgs, int, Args...), void (*of_many)(ForwardArgs, int, Args...),
                           const ForwardArgs& a, int kernel_rows, cudaStream_t stream, Args... args) {
  const int rows = a.n_q < kernel_rows ? a.n_q : kernel_rows;
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
  return cudaLaunchKernelEx(&config, few ? of_few : of_many, a, rows, args...);
}

// a.q_tiles is that of the kernel which wrote the parts.
template <class T, int D, int kRows, bool kCausal>
cudaError_t launch_join(const ForwardArgs& a, cudaStream_t stream) {
  return launch_join_of(&join_parts<T, D, kRows, kCausal, 1>, &join_parts<T, D, kRows, kCausal, kJoinWarps>, a, kRows,
                        stream);
}

template <class T, int D, int kRows>
cudaError_t launch_join(const ForwardArgs& a, cudaStream_t stream, const Stretches& s) {
  return launch_join_of(&join_stretches<T, D, kRows, 1>, &join_stretches<T, D, kRows, kJoinWarps>, a, kRows, stream, s);
}

}  // namespace tilewalk::fast
