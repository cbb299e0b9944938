// Measures the parts of flash_v2_backward's visits alone: its five products with nothing between them, its
// adds to dQ with no products, and both. The model of time (src/core/chip) takes its rates from here and from no race.
//
// Launch     One block of 8 warps on each multiprocessor, as in the kernel. Operands are random, in shared memory,
//            and are never loaded again. `blocks` of them add to the same rows of dQ, like those of one head: each
//            walks all rows, in step.
// Prints     CSV as parts.cu: part, kernel, d, Br (queries), Bc (keys), blocks that share rows, visits, cycles a visit,
//            GHz. The median over all multiprocessors, of the last of some launches.
// Not here   Loads, barriers, exponentials, P and dS through shared memory.
#include <cuda_runtime.h>

#include <cstdio>

#include "core/problem/contender.h"
#include "kernels/fast/mma_sm80.h"
#include "kernels/fast/parts_report.h"
#include "kernels/fast/shared_address.h"

namespace tilewalk::fast {
namespace {

enum class Part { Products, Adds, Both };
constexpr const char* kNames[] = {"products", "adds", "both"};
constexpr int kThreads = 256, kStep = 64, kRowsOfHead = 4096, kSharedLimit = 227 * 1024;

__device__ inline void multiply(float* acc, const uint32_t (&a)[4], const uint32_t (&b)[4]) {
  mma_16816<__nv_bfloat16>(acc, a, b[0], b[1]);
  mma_16816<__nv_bfloat16>(acc + 4, a, b[2], b[3]);
}

// kM: blocks of 16 keys, a warp's; kBr: queries of a visit; kHeld: K or V stay in registers. As flash_v2_backward.
template <int D, int kM, int kBr, bool kHeld, Part kPart>
__global__ void __launch_bounds__(kThreads, 1) part(int visits, int sharing, Span* spans, float* sums, float* sink) {
  constexpr int kBc = 64 * kM, kBytes = 2 * D * (2 * kBc + 2 * kBr) + 2 * kBc * kBr;
  extern __shared__ __align__(128) unsigned char shared[];
  fill<__nv_bfloat16>(shared, kBytes);
  const int warp = threadIdx.x / 32 % 4, wide_warp = threadIdx.x / 32, lane = threadIdx.x % 32;
  const bool second = threadIdx.x >= 128;
  const uint32_t base = shared_address(shared);
  const uint32_t queries = base + 4 * kBc * D, at_ds = queries + 4 * kBr * D;
  const uint32_t at_q = queries + (second ? 2 * kBr * D : 0), at_do = queries + (second ? 0 : 2 * kBr * D);
  const int swizzle = (lane & 7) << 4;
  const int down_row = lane & 15, down_x = ((lane >> 4) << 4) ^ swizzle;
  const int across_row = (lane & 7) + ((lane >> 4) << 3), across_x = (((lane >> 3) & 1) << 4) ^ swizzle;
  const uint32_t a_at = base + (second ? 2 * kBc * D : 0) + (warp * 16 * kM + down_row) * D * 2;
  float* const head = sums + (long long)(blockIdx.x / sharing) * kRowsOfHead * D;

  float acc[kM][D / 2];
#pragma unroll
  for (int i = 0; i < kM; ++i) {
#pragma unroll
    for (int e = 0; e < D / 2; ++e) acc[i][e] = 0.0f;
  }
  uint32_t held[kHeld ? D / 16 : 1][kM][4];
  if constexpr (kHeld) {
#pragma unroll
    for (int x = 0; x < D / 16; ++x) {
#pragma unroll
      for (int i = 0; i < kM; ++i) ldmatrix_x4(held[x][i], a_at + i * 16 * D * 2 + ((x * 32) ^ down_x));
    }
  }
  __syncthreads();
  const long long begin = clock64(), begin_ns = nanoseconds();
#pragma unroll 1
  for (int visit = 0; visit < visits; ++visit) {
    if constexpr (kPart != Part::Adds) {
#pragma unroll
      for (int half = 0; half < kBr / kStep; ++half) {
        float s[kM][kStep / 2];
#pragma unroll
        for (int i = 0; i < kM; ++i) {
#pragma unroll
          for (int e = 0; e < kStep / 2; ++e) s[i][e] = 0.0f;
        }
#pragma unroll
        for (int x = 0; x < D / 16; ++x) {
          uint32_t(&keys)[kM][4] = held[kHeld ? x : 0];
          if constexpr (!kHeld) {
#pragma unroll
            for (int i = 0; i < kM; ++i) ldmatrix_x4(keys[i], a_at + i * 16 * D * 2 + ((x * 32) ^ down_x));
          }
#pragma unroll
          for (int n = 0; n < kStep / 16; ++n) {
            uint32_t q[4];
            ldmatrix_x4(q, at_q + (half * kStep + n * 16 + across_row) * D * 2 + ((x * 32) ^ across_x));
#pragma unroll
            for (int i = 0; i < kM; ++i) multiply(&s[i][8 * n], keys[i], q);
          }
        }
#pragma unroll
        for (int y = 0; y < kStep / 16; ++y) {
          uint32_t operand[kM][4];
#pragma unroll
          for (int i = 0; i < kM; ++i) {
#pragma unroll
            for (int e = 0; e < 4; ++e) operand[i][e] = __float_as_uint(s[i][8 * y + 2 * e]);
          }
#pragma unroll
          for (int n = 0; n < D / 16; ++n) {
            uint32_t q[4];
            ldmatrix_x4_transposed(q, at_do + (half * kStep + y * 16 + down_row) * D * 2 + ((n * 32) ^ down_x));
#pragma unroll
            for (int i = 0; i < kM; ++i) multiply(&acc[i][8 * n], operand[i], q);
          }
        }
      }
    }
    constexpr int kRowWarps = kBr / 32, kBlocks = D / 16 / (8 / kRowWarps);
    const int row_warp = wide_warp % kRowWarps, column = wide_warp / kRowWarps * kBlocks;
    float dq[2][kBlocks * 8];
#pragma unroll
    for (int e = 0; e < kBlocks * 8; ++e) dq[0][e] = dq[1][e] = float(visit);
    if constexpr (kPart != Part::Adds) {
#pragma unroll
      for (int y = 0; y < kBc / 16; ++y) {
        uint32_t ds[2][4];
#pragma unroll
        for (int i = 0; i < 2; ++i)
          ldmatrix_x4_transposed(ds[i],
                                 at_ds + (y * 16 + across_row) * kBr * 2 + ((row_warp * 64 + i * 32) ^ across_x));
#pragma unroll
        for (int n = 0; n < kBlocks; ++n) {
          uint32_t k[4];
          ldmatrix_x4_transposed(k, base + (y * 16 + down_row) * D * 2 + (((column + n) * 32) ^ down_x));
#pragma unroll
          for (int i = 0; i < 2; ++i) multiply(&dq[i][8 * n], ds[i], k);
        }
      }
    }
#pragma unroll
    for (int i = 0; i < 2; ++i) {
#pragma unroll
      for (int h = 0; h < 2; ++h) {
        const int row = visit * kBr % kRowsOfHead + row_warp * 32 + i * 16 + h * 8 + lane / 4;
#pragma unroll
        for (int n = 0; n < kBlocks; ++n) {
          const float* const f = &dq[i][8 * n + 2 * h];
          if constexpr (kPart == Part::Products)
            asm volatile("" ::"f"(f[0]), "f"(f[1]), "f"(f[4]), "f"(f[5]));
          else
            add_four(head + (long long)row * D + (column + n) * 16 + 4 * (lane & 3), f[0], f[1], f[4], f[5]);
        }
      }
    }
  }
  const long long end = clock64(), end_ns = nanoseconds();
  if (threadIdx.x == 0) spans[blockIdx.x] = {end - begin, end_ns - begin_ns};
  float sum = 0.0f;
#pragma unroll
  for (int i = 0; i < kM; ++i) {
#pragma unroll
    for (int e = 0; e < D / 2; ++e) sum += acc[i][e];
  }
  sink[blockIdx.x * kThreads + threadIdx.x] = sum;
}

int g_sms;
Span* g_spans;
float *g_sums, *g_sink;

template <int D, int kM, int kBr, bool kHeld, Part kPart>
void run(int sharing, int visits) {
  auto* const kernel = &part<D, kM, kBr, kHeld, kPart>;
  cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, kSharedLimit);
  report({kNames[int(kPart)], word_of(Contender::FlashV2Backward), D, kBr, 64 * kM, sharing}, visits, g_spans, g_sms,
         [&] { kernel<<<g_sms, kThreads, kSharedLimit>>>(visits, sharing, g_spans, g_sums, g_sink); });
}

template <int D, int kM, int kBr, bool kHeld>
void parts() {
  for (int visits : {2048, 16384}) {
    run<D, kM, kBr, kHeld, Part::Products>(1, visits);
    for (int sharing : {1, 8, 32, 128}) {
      run<D, kM, kBr, kHeld, Part::Adds>(sharing, visits);
      run<D, kM, kBr, kHeld, Part::Both>(sharing, visits);
    }
  }
}

}  // namespace
}  // namespace tilewalk::fast

int main() {
  using namespace tilewalk::fast;
  cudaDeviceGetAttribute(&g_sms, cudaDevAttrMultiProcessorCount, 0);
  cudaMalloc(&g_spans, sizeof(Span) * std::size_t(g_sms));
  cudaMalloc(&g_sink, sizeof(float) * std::size_t(g_sms) * kThreads);
  const std::size_t sums = std::size_t(g_sms) * kRowsOfHead * 256 * sizeof(float);
  cudaMalloc(&g_sums, sums);
  cudaMemset(g_sums, 0, sums);
  std::printf("part,kernel,d,br,bc,blocks,visits,cycles,ghz\n");
  parts<64, 2, 128, true>();
  parts<128, 2, 64, false>();
  parts<256, 1, 64, false>();
  return cudaGetLastError() == cudaSuccess ? 0 : 1;
}
