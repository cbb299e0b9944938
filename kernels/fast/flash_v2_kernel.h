// FlashAttention-2, forward, for mma.sync. Included by flash_v2.cu, whose head describes it, and by its traced build.
#pragma once

#include "kernels/fast/forward_args.h"
#include "kernels/fast/join_parts.h"
#include "kernels/fast/mma_sm80.h"
#include "kernels/fast/record.h"
#include "kernels/fast/softmax.h"
#include "kernels/fast/store_part.h"

namespace tilewalk::fast {

constexpr int kV2Rows = 128;  // of a Q tile
template <int D>
constexpr int kV2Blocks = D > 128 ? 1 : 2;  // blocks of 16 rows of a warp: each block's O needs D / 2 registers
template <int D>
constexpr int kV2Threads = kV2Rows / kV2Blocks<D> * 2;
template <int D, int Bc>
constexpr int kV2Shared = 2 * D*(kV2Rows + 4 * Bc);

// A row in shared memory has D elements of 16 bits, and chunk c of 16 bytes lies at position c ^ swizzle of the row, so
// that eight rows of one chunk are in different banks. Where a row is no multiple of 128 bytes (D = 96, 160), chunks
// change places four by four.
template <int D>
__device__ inline int swizzle(int row) {
  return D % 64 == 0 ? row & 7 : row >> 1 & 3;
}
template <int D>
__device__ inline int swizzled(int row, int chunk) {
  return row * D * 2 + ((chunk ^ swizzle<D>(row)) << 4);
}

// Copies rows first .. first + kRows - 1 of a (n, d) matrix; elements outside it become zeros.
template <class T, int D, int kRows, int kThreads = kV2Threads<D>>
__device__ inline void load_tile(uint32_t to, const T* from, int first, int n, int d) {
  constexpr int kChunks = D / 8;
  constexpr int kAcross = kThreads % (8 * kChunks) == 0 ? kChunks : D % 64 == 0 ? 8 : 4;  // chunks of a row at once
  constexpr int kStep = kThreads / kAcross;  // rows a pass; a multiple of 8, so one swizzle per thread
  const int chunk = threadIdx.x % kAcross, row = threadIdx.x / kAcross;
  const T* source = from + (long long)(first + row) * d + chunk * 8;
  to += swizzled<D>(row, chunk);
#pragma unroll
  for (int i = 0; i < kRows / kStep; ++i) {
#pragma unroll
    for (int c = 0; c < kChunks; c += kAcross) {
      const bool inside = first + row + i * kStep < n && (chunk + c) * 8 < d;
      cp_async_16(to + i * kStep * D * 2 + c * 16, inside ? source + (long long)i * kStep * d + c * 8 : from, inside);
    }
  }
}

template <class T, int D, int Bc, bool kCausal, bool kLazy, bool kQInRegisters, int kBlocks, class R = Silent,
          bool kInParts = false>
__global__ void __launch_bounds__(kV2Threads<D>, kBlocks) flash_v2_forward(const ForwardArgs a, const R record) {
  extern __shared__ __align__(128) unsigned char shared[];
  const uint32_t sQ = shared_address(shared);  // (128, D)
  const uint32_t sK = sQ + kV2Rows * D * 2;    // (2, Bc, D)
  const uint32_t sV = sK + 2 * Bc * D * 2;     // (2, Bc, D)
  constexpr int kStage = Bc * D * 2;
  constexpr int kM = kV2Blocks<D>, kWarpRows = 16 * kM;

  if constexpr (kInParts) let_next_begin();
  const WorkItem item = kInParts ? work_item(a.parts, blockIdx.x) : WorkItem{(int)blockIdx.x};
  const WorkTile work = work_tile<kCausal>(a, item.tile);
  const int first_row = work.q_tile * kV2Rows;
  const long long q_base = (long long)work.head * a.n_q * a.d;
  const long long kv_base = (long long)(work.head / a.heads_per_kv) * a.n_kv * a.d;
  const T* gK = (const T*)a.k + kv_base;
  const T* gV = (const T*)a.v + kv_base;
  int tiles = kv_tile_count<kCausal, Bc>(a, first_row, kV2Rows);
  if constexpr (kInParts) tiles = kv_tiles_of(item, tiles);
  const auto first_key = [&](int nth) { return (kInParts ? nth_kv_tile(item, nth) : nth) * Bc; };

  const int warp = threadIdx.x / 32, lane = threadIdx.x % 32;
  typename R::Recorder recorder(record, kConsumerLane);
  const int lane_row = lane & 7, x_of_row = D % 64 == 0 ? lane_row : swizzle<D>(lane);
  // ldmatrix: the row and chunk of each lane. A and V: matrices down then across; K: across then down.
  const int a_row = warp * kWarpRows + (lane & 15), a_hi = lane >> 4;
  const int k_row = lane_row + ((lane >> 4) << 3), k_hi = (lane >> 3) & 1;
  const int v_row = lane & 15, v_hi = lane >> 4;
  const uint32_t q_at = sQ + a_row * D * 2, q_x = (a_hi ^ x_of_row) << 4;
  const uint32_t k_at = k_row * D * 2, k_x = (k_hi ^ x_of_row) << 4;
  const uint32_t v_at = v_row * D * 2, v_x = (v_hi ^ x_of_row) << 4;

  float o[kM][D / 2], m[kM][2], l[kM][2];
#pragma unroll
  for (int i = 0; i < kM; ++i) {
#pragma unroll
    for (int e = 0; e < D / 2; ++e) o[i][e] = 0.0f;
    m[i][0] = m[i][1] = minus_infinity();
    l[i][0] = l[i][1] = 0.0f;
  }

  if (tiles > 0) {
    load_tile<T, D, kV2Rows>(sQ, (const T*)a.q + q_base, first_row, a.n_q, a.d);
    load_tile<T, D, Bc>(sK, gK, first_key(tiles - 1), a.n_kv, a.d);
    load_tile<T, D, Bc>(sV, gV, first_key(tiles - 1), a.n_kv, a.d);
    cp_async_commit();
  }
  uint32_t q[kQInRegisters ? D / 16 : 1][kM][4];

  // From the last tile down, so that the masked tiles come first.
  int stage = 0;
  for (int tile = tiles - 1; tile >= 0; --tile, stage ^= 1) {
    cp_async_wait_all();
    __syncthreads();  // this stage is complete for all; all are done with the other stage
    if (tile > 0) {
      load_tile<T, D, Bc>(sK + (stage ^ 1) * kStage, gK, first_key(tile - 1), a.n_kv, a.d);
      load_tile<T, D, Bc>(sV + (stage ^ 1) * kStage, gV, first_key(tile - 1), a.n_kv, a.d);
      cp_async_commit();
    }
    if (kInParts && !kCausal && first_row + warp * kWarpRows >= a.n_q) continue;  // few rows, as in decoding
    if (kQInRegisters && tile == tiles - 1) {
#pragma unroll
      for (int x = 0; x < D / 16; ++x) {
#pragma unroll
        for (int i = 0; i < kM; ++i) ldmatrix_x4(q[kQInRegisters ? x : 0][i], q_at + i * 16 * D * 2 + ((x * 32) ^ q_x));
      }
    }

    // S = Q K^T
    float s[kM][Bc / 2];
#pragma unroll
    for (int i = 0; i < kM; ++i) {
#pragma unroll
      for (int e = 0; e < Bc / 2; ++e) s[i][e] = 0.0f;
    }
#pragma unroll
    for (int x = 0; x < D / 16; ++x) {
      uint32_t(&qx)[kM][4] = q[kQInRegisters ? x : 0];
      if constexpr (!kQInRegisters) {
#pragma unroll
        for (int i = 0; i < kM; ++i) ldmatrix_x4(qx[i], q_at + i * 16 * D * 2 + ((x * 32) ^ q_x));
      }
      const uint32_t at = sK + stage * kStage + k_at + ((x * 32) ^ k_x);
#pragma unroll
      for (int n = 0; n < Bc / 16; ++n) {
        uint32_t k[4];
        ldmatrix_x4(k, at + n * 16 * D * 2);
#pragma unroll
        for (int i = 0; i < kM; ++i) {
          mma_16816<T>(&s[i][8 * n], qx[i], k[0], k[1]);
          mma_16816<T>(&s[i][8 * n + 4], qx[i], k[2], k[3]);
        }
      }
    }

    const int first_col = first_key(tile);
    const bool crosses = kCausal && first_col + Bc - 1 > first_row + warp * kWarpRows + a.causal_shift;
    if (first_col + Bc > a.n_kv || crosses) {
#pragma unroll
      for (int i = 0; i < kM; ++i) {
        int limit[2];
#pragma unroll
        for (int h = 0; h < 2; ++h) {
          const int row = first_row + warp * kWarpRows + i * 16 + h * 8 + lane / 4;
          limit[h] = (kCausal ? min(a.n_kv - 1, row + a.causal_shift) : a.n_kv - 1) - first_col;
        }
        mask_scores<Bc>(s[i], limit[0], limit[1]);
      }
    }

#pragma unroll
    for (int i = 0; i < kM; ++i) {
      float alpha[2];
      if (softmax_step<Bc, kLazy>(s[i], m[i], l[i], alpha, a.c)) shrink_rows(o[i], alpha);
    }

    // O += P V: the accumulator layout of S is the operand layout of P.
#pragma unroll
    for (int y = 0; y < Bc / 16; ++y) {
      uint32_t p[kM][4];
#pragma unroll
      for (int i = 0; i < kM; ++i) {
#pragma unroll
        for (int e = 0; e < 4; ++e) p[i][e] = pack2<T>(s[i][8 * y + 2 * e], s[i][8 * y + 2 * e + 1]);
      }
      const uint32_t at = sV + stage * kStage + v_at + y * 16 * D * 2;
#pragma unroll
      for (int n = 0; n < D / 16; ++n) {
        uint32_t v[4];
        ldmatrix_x4_transposed(v, at + ((n * 32) ^ v_x));
#pragma unroll
        for (int i = 0; i < kM; ++i) {
          mma_16816<T>(&o[i][8 * n], p[i], v[0], v[1]);
          mma_16816<T>(&o[i][8 * n + 4], p[i], v[2], v[3]);
        }
      }
    }
#pragma unroll
    for (int i = 0; i < kM; ++i) {
      const int row = first_row + warp * kWarpRows + i * 16 + lane / 4;
      recorder.sums(a, work.head, tile, row, m[i], l[i]);
      recorder.output(a, work.head, tile, row, o[i]);
    }
  }

  if (kInParts && item.of > 1) {
#pragma unroll
    for (int i = 0; i < kM; ++i) {
      const int tile_row = warp * kWarpRows + i * 16 + lane / 4;
      store_part<D>(a, o[i], m[i], l[i], (long long)item.slot * kV2Rows + tile_row, first_row + tile_row);
    }
    return;
  }
  __syncwarp();  // all of the warp's reads of its rows of sQ are done
  // Normalise, store. O goes through the warp's own rows of sQ, which no other warp reads, into 16-byte stores.
#pragma unroll
  for (int i = 0; i < kM; ++i) {
#pragma unroll
    for (int h = 0; h < 2; ++h) {
      const float sum = quad_sum(l[i][h]);
      const float inverse = sum == 0.0f ? 0.0f : 1.0f / sum;
      const int tile_row = warp * kWarpRows + i * 16 + h * 8 + lane / 4;
      const int row = first_row + tile_row;
      if (a.lse != nullptr && lane % 4 == 0 && row < a.n_q) {
        a.lse[(long long)work.head * a.n_q + row] = row_lse(m[i][h], sum, a.c);
      }
#pragma unroll
      for (int j = 0; j < D / 8; ++j) {
        const uint32_t pair = pack2<T>(o[i][4 * j + 2 * h] * inverse, o[i][4 * j + 2 * h + 1] * inverse);
        *(uint32_t*)(shared + swizzled<D>(tile_row, j) + (lane & 3) * 4) = pair;
      }
    }
  }
  __syncwarp();
  T* gO = (T*)a.o + q_base;
#pragma unroll
  for (int i = 0; i < kM * D / 16; ++i) {
    const int tile_row = warp * kWarpRows + (i * 32 + lane) / (D / 8);
    const int chunk = (i * 32 + lane) % (D / 8);
    const int row = first_row + tile_row;
    const uint4 value = *(const uint4*)(shared + swizzled<D>(tile_row, chunk));
    if (row < a.n_q && chunk * 8 < a.d) *(uint4*)(gO + (long long)row * a.d + chunk * 8) = value;
  }
}

template <class T, int D, int Bc, bool kCausal, bool kLazy, bool kQInRegisters, int kBlocks, class R = Silent,
          bool kInParts = false>
cudaError_t launch_v2(ForwardArgs a, cudaStream_t stream, const R& record = {}) {
  auto* const kernel = &flash_v2_forward<T, D, Bc, kCausal, kLazy, kQInRegisters, kBlocks, R, kInParts>;
  constexpr int kShared = kV2Shared<D, Bc>;
  const cudaError_t raised = cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, kShared);
  if (raised != cudaSuccess) return raised;
  a.q_tiles = (a.n_q + kV2Rows - 1) / kV2Rows;
  kernel<<<kInParts ? work_items(a.parts) : a.q_tiles * a.all_heads, kV2Threads<D>, kShared, stream>>>(a, record);
  const cudaError_t launched = cudaGetLastError();
  if (!kInParts || launched != cudaSuccess) return launched;
  if constexpr (kInParts) return launch_join<T, D, kV2Rows, kCausal>(a, stream);
  return launched;
}

}  // namespace tilewalk::fast
