// Measures the parts of a tile visit alone: the products of flash_v2 and of flash_v3 with no softmax between
// them, and the softmax with no products, each with as many warps on a multiprocessor as in the kernel. The model of
// time (src/core/chip) takes its rates from here and from no race.
//
// Launch     One multiprocessor's worth of blocks on each: 1, 2 or 3 blocks of 4 or 8 warps (flash_v2), one block of 1
//            to 3 warpgroups (flash_v3). Operands are random, in shared memory, and are never loaded again.
// Prints     CSV: part, kernel, d, Br, Bc, blocks an SM, visits, cycles a visit of one SM (its blocks taken together),
//            GHz. The median over all multiprocessors, of the last of some launches; then the time of an empty launch.
// Not here   Loads, barriers between warps, masks, the begin and end of a Q tile.
#include <cuda_runtime.h>

#include <algorithm>
#include <cstdio>
#include <vector>

#include "core/problem/contender.h"
#include "kernels/fast/flash_v2_kernel.h"
#include "kernels/fast/flash_v3_build.h"
#include "kernels/fast/hopper.h"
#include "kernels/fast/parts_report.h"
#include "kernels/fast/wgmma.h"

namespace tilewalk::fast {
namespace {

enum class Part { Products, Softmax, Both };

template <class T, int D, int Bc, Part kPart, int kBlocks>
__global__ void __launch_bounds__(kV2Threads<D>, kBlocks) part_v2(int visits, float c, Span* spans, float* sink) {
  extern __shared__ __align__(128) unsigned char shared[];
  constexpr int kM = kV2Blocks<D>, kWarpRows = 16 * kM;
  fill<T>(shared, kV2Shared<D, Bc>);
  const uint32_t sQ = shared_address(shared), sK = sQ + kV2Rows * D * 2, sV = sK + 2 * Bc * D * 2;
  const int warp = threadIdx.x / 32, lane = threadIdx.x % 32, lane_row = lane & 7;
  const uint32_t q_at = sQ + (warp * kWarpRows + (lane & 15)) * D * 2, q_x = ((lane >> 4) ^ lane_row) << 4;
  const uint32_t k_at = sK + (lane_row + ((lane >> 4) << 3)) * D * 2, k_x = (((lane >> 3) & 1) ^ lane_row) << 4;
  const uint32_t v_at = sV + (lane & 15) * D * 2, v_x = ((lane >> 4) ^ lane_row) << 4;
  float o[kM][D / 2], s[kM][Bc / 2], m[kM][2], l[kM][2];
#pragma unroll
  for (int i = 0; i < kM; ++i) {
#pragma unroll
    for (int e = 0; e < D / 2; ++e) o[i][e] = 0.0f;
#pragma unroll
    for (int e = 0; e < Bc / 2; ++e) s[i][e] = float((threadIdx.x * 37 + e * 11) % 97) * 0.02f;
    m[i][0] = m[i][1] = 4.0f;
    l[i][0] = l[i][1] = 0.0f;
  }
  __syncthreads();
  const long long begin = clock64(), begin_ns = nanoseconds();
  for (int visit = 0; visit < visits; ++visit) {
    if constexpr (kPart != Part::Softmax) {
#pragma unroll
      for (int i = 0; i < kM; ++i) {
#pragma unroll
        for (int e = 0; e < Bc / 2; ++e) s[i][e] = 0.0f;
      }
#pragma unroll
      for (int x = 0; x < D / 16; ++x) {
        uint32_t q[kM][4];
#pragma unroll
        for (int i = 0; i < kM; ++i) ldmatrix_x4(q[i], q_at + i * 16 * D * 2 + ((x * 32) ^ q_x));
#pragma unroll
        for (int n = 0; n < Bc / 16; ++n) {
          uint32_t k[4];
          ldmatrix_x4(k, k_at + ((x * 32) ^ k_x) + n * 16 * D * 2);
#pragma unroll
          for (int i = 0; i < kM; ++i) {
            mma_16816<T>(&s[i][8 * n], q[i], k[0], k[1]);
            mma_16816<T>(&s[i][8 * n + 4], q[i], k[2], k[3]);
          }
        }
      }
    }
    uint32_t p[Bc / 16][kM][4];
    if constexpr (kPart != Part::Products) {
#pragma unroll
      for (int i = 0; i < kM; ++i) {
        float alpha[2];
        if (softmax_step<Bc, true>(s[i], m[i], l[i], alpha, c)) shrink_rows(o[i], alpha);
      }
    }
#pragma unroll
    for (int y = 0; y < Bc / 16; ++y) {
#pragma unroll
      for (int i = 0; i < kM; ++i) {
#pragma unroll
        for (int e = 0; e < 4; ++e) {
          if constexpr (kPart == Part::Products)
            p[y][i][e] = __float_as_uint(s[i][8 * y + 2 * e]);
          else
            p[y][i][e] = pack2<T>(s[i][8 * y + 2 * e], s[i][8 * y + 2 * e + 1]);
          if constexpr (kPart == Part::Softmax) asm volatile("" ::"r"(p[y][i][e]));
        }
      }
    }
    if constexpr (kPart != Part::Softmax) {
#pragma unroll
      for (int y = 0; y < Bc / 16; ++y) {
#pragma unroll
        for (int n = 0; n < D / 16; ++n) {
          uint32_t v[4];
          ldmatrix_x4_transposed(v, v_at + y * 16 * D * 2 + ((n * 32) ^ v_x));
#pragma unroll
          for (int i = 0; i < kM; ++i) {
            mma_16816<T>(&o[i][8 * n], p[y][i], v[0], v[1]);
            mma_16816<T>(&o[i][8 * n + 4], p[y][i], v[2], v[3]);
          }
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
    for (int e = 0; e < D / 2; ++e) sum += o[i][e];
#pragma unroll
    for (int e = 0; e < Bc / 2; ++e) sum += s[i][e];
    sum += l[i][0] + l[i][1];
  }
  sink[blockIdx.x * blockDim.x + threadIdx.x] = sum;
}

// 64 rows a warpgroup. Both products of a visit are issued together, with one wait for both.
template <class T, int D, int Bc, Part kPart, int kGroups>
__global__ void __launch_bounds__(kGroups * 128, 1) part_v3(int visits, float c, Span* spans, float* sink) {
  extern __shared__ unsigned char raw[];
  const uint32_t at = (shared_address(raw) + 1023) & ~1023u;
  constexpr int kBytes = (kGroups * 64 + 2 * Bc) * D * 2;
  fill<T>(raw + (at - shared_address(raw)), kBytes);
  fence_async_proxy();
  __syncthreads();
  const int group = threadIdx.x / 128;
  const uint64_t q = wgmma_descriptor(at + group * 64 * D * 2, 16, 1024);
  const uint64_t k = wgmma_descriptor(at + kGroups * 64 * D * 2, 16, 1024);
  const uint64_t v = wgmma_descriptor(at + (kGroups * 64 + Bc) * D * 2, Bc * 128, 1024);
  float o[D / 2], s[Bc / 2], m[2] = {4.0f, 4.0f}, l[2] = {0.0f, 0.0f};
  uint32_t p[4];
#pragma unroll
  for (int e = 0; e < D / 2; ++e) o[e] = 0.0f;
#pragma unroll
  for (int e = 0; e < Bc / 2; ++e) s[e] = float((threadIdx.x * 37 + e * 11) % 97) * 0.02f;
#pragma unroll
  for (int e = 0; e < 4; ++e) p[e] = 0x3f803f00u + (threadIdx.x * 5 + e) % 97;
  __syncthreads();
  const long long begin = clock64(), begin_ns = nanoseconds();
  for (int visit = 0; visit < visits; ++visit) {
    if constexpr (kPart == Part::Products) {
      wgmma_pin(s);
      wgmma_pin(o);
      wgmma_fence();
#pragma unroll
      for (int x = 0; x < D / 16; ++x) {
        const int column = x / 4, within = x % 4 * 32;
        Wgmma<Bc>::template ss<T>(s, q + ((column * 64 * 128 + within) >> 4), k + ((column * Bc * 128 + within) >> 4),
                                  x > 0);
      }
#pragma unroll
      for (int y = 0; y < Bc / 16; ++y) Wgmma<D>::template rs<T>(o, p, v + ((y * 16 * 128) >> 4));
      wgmma_commit();
      wgmma_wait<0>();
      wgmma_pin(s);
      wgmma_pin(o);
    } else {
      float alpha[2];
      if (softmax_step<Bc, true>(s, m, l, alpha, c)) shrink_rows(o, alpha);
#pragma unroll
      for (int y = 0; y < Bc / 16; ++y) {
#pragma unroll
        for (int e = 0; e < 4; ++e) {
          p[e] = pack2<T>(s[8 * y + 2 * e], s[8 * y + 2 * e + 1]);
          asm volatile("" ::"r"(p[e]));
        }
      }
    }
  }
  const long long end = clock64(), end_ns = nanoseconds();
  if (threadIdx.x == 0) spans[blockIdx.x] = {end - begin, end_ns - begin_ns};
  float sum = l[0] + l[1];
#pragma unroll
  for (int e = 0; e < D / 2; ++e) sum += o[e];
#pragma unroll
  for (int e = 0; e < Bc / 2; ++e) sum += s[e];
  sink[blockIdx.x * blockDim.x + threadIdx.x] = sum;
}

__global__ void nothing() {}

int g_sms = 0;
Span* g_spans = nullptr;
float* g_sink = nullptr;

constexpr const char* kNames[] = {"products", "softmax", "both"};

template <int D, int Bc, Part kPart, int kBound>
void v2(int blocks, int visits) {
  auto* const kernel = &part_v2<__nv_bfloat16, D, Bc, kPart, kBound>;
  constexpr int kNeeded = kV2Shared<D, Bc>;
  // Enough additional shared memory a block to keep other blocks off the multiprocessor.
  const int shared = std::max(kNeeded, (kSharedLimit - 1024 * blocks) / blocks / 1024 * 1024 - 1024);
  cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, shared);
  report({kNames[int(kPart)], word_of(Contender::FlashV2), D, kV2Rows, Bc, blocks}, visits, g_spans, g_sms * blocks,
         [&] { kernel<<<g_sms * blocks, kV2Threads<D>, shared>>>(visits, 0.125f, g_spans, g_sink); });
}

template <int D, int Bc, int kBound>
void v2_parts() {
  for (int blocks = 1; blocks <= kBound; ++blocks) {
    for (int visits : {4096, 65536}) {  // at most a millisecond, at a high clock; and long enough for the clock to fall
      v2<D, Bc, Part::Products, kBound>(blocks, visits);
      v2<D, Bc, Part::Softmax, kBound>(blocks, visits);
      v2<D, Bc, Part::Both, kBound>(blocks, visits);
    }
  }
}

template <int D, int Bc, Part kPart, int kGroups>
void v3(int visits) {
  auto* const kernel = &part_v3<__nv_bfloat16, D, Bc, kPart, kGroups>;
  cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, kSharedLimit);
  report({kNames[int(kPart)], word_of(Contender::FlashV3), D, 64 * kGroups, Bc, 1}, visits, g_spans, g_sms,
         [&] { kernel<<<g_sms, kGroups * 128, kSharedLimit>>>(visits, 0.125f, g_spans, g_sink); });
}

template <int D, int Bc, int kGroups>
void v3_parts() {
  for (int visits : {4096, 65536}) {
    v3<D, Bc, Part::Products, kGroups>(visits);
    v3<D, Bc, Part::Softmax, kGroups>(visits);
  }
  if constexpr (kGroups > 1) v3_parts<D, Bc, kGroups - 1>();
}

void empty_launches() {
  constexpr int kCount = 2000;
  cudaEvent_t begin, end;
  cudaEventCreate(&begin);
  cudaEventCreate(&end);
  std::vector<float> alone;
  for (int i = 0; i < 200; ++i) {
    cudaEventRecord(begin);
    nothing<<<g_sms, 128>>>();
    cudaEventRecord(end);
    cudaEventSynchronize(end);
    float ms = 0;
    cudaEventElapsedTime(&ms, begin, end);
    alone.push_back(ms);
  }
  std::sort(alone.begin(), alone.end());
  cudaEventRecord(begin);
  for (int i = 0; i < kCount; ++i) nothing<<<g_sms, 128>>>();
  cudaEventRecord(end);
  cudaEventSynchronize(end);
  float ms = 0;
  cudaEventElapsedTime(&ms, begin, end);
  std::printf("# one empty launch between two events, us: %.3f\n# empty launches in a row, us each: %.3f\n",
              alone[alone.size() / 2] * 1e3, ms / kCount * 1e3);
}

}  // namespace
}  // namespace tilewalk::fast

int main() {
  using namespace tilewalk::fast;
  cudaDeviceGetAttribute(&g_sms, cudaDevAttrMultiProcessorCount, 0);
  cudaMalloc(&g_spans, sizeof(Span) * 4096);
  cudaMalloc(&g_sink, sizeof(float) * 4096 * 512);
  empty_launches();
  std::printf("part,kernel,d,br,bc,blocks,visits,cycles,ghz\n");
  v2_parts<64, 64, 3>();
  v2_parts<64, 128, 2>();
  v2_parts<128, 64, 2>();
  v2_parts<256, 64, 1>();
  v3_parts<64, 128, 3>();
  v3_parts<128, 128, 2>();
  v3_parts<256, 64, 2>();
  return cudaGetLastError() == cudaSuccess ? 0 : 1;
}
