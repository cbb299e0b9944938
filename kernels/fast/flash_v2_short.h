// FlashAttention-2, forward, for mma.sync, in tiles of 64 rows: four warps of 16. K and V have one stage each, so that
// two or three blocks share a multiprocessor and one computes while another waits: V arrives during S = Q K^T, the next
// K during the softmax and P V. Without a mask, warps whose rows are past n_q compute nothing. Included by
// flash_v2_short.cu, whose head describes it, and by the traced build of flash_v2.
#pragma once

#include "kernels/fast/flash_v2_kernel.h"

namespace tilewalk::fast {

constexpr int kV2ShortRows = 64, kV2ShortThreads = 128;
template <int D>
constexpr int kV2ShortKeys = D > 128 ? 64 : 128;
template <int D>
constexpr int kV2ShortBlocks = D > 64 ? 2 : 3;  // that share a multiprocessor
template <int D>
constexpr int kV2ShortShared = 2 * D*(kV2ShortRows + 2 * kV2ShortKeys<D>);

template <class T, int D, bool kCausal, bool kInParts, class R = Silent>
__global__ void __launch_bounds__(kV2ShortThreads, kV2ShortBlocks<D>)
    flash_v2_short(const ForwardArgs a, const R record) {
  constexpr int Bc = kV2ShortKeys<D>;
  constexpr bool kMayRest = D <= 128 && !kCausal;
  constexpr bool kQInRegisters = D < 256;  // there they would be spilled
  extern __shared__ __align__(128) unsigned char shared[];
  const uint32_t sQ = shared_address(shared), sK = sQ + kV2ShortRows * D * 2, sV = sK + Bc * D * 2;

  if constexpr (kInParts) let_next_begin();
  const WorkItem item = kInParts ? work_item(a.parts, blockIdx.x) : WorkItem{(int)blockIdx.x};
  const WorkTile work = work_tile<kCausal>(a, item.tile);
  const int first_row = work.q_tile * kV2ShortRows;
  const long long q_base = (long long)work.head * a.n_q * a.d;
  const long long kv_base = (long long)(work.head / a.heads_per_kv) * a.n_kv * a.d;
  const T* gK = (const T*)a.k + kv_base;
  const T* gV = (const T*)a.v + kv_base;
  int tiles = kv_tile_count<kCausal, Bc>(a, first_row, kV2ShortRows);
  if constexpr (kInParts) tiles = kv_tiles_of(item, tiles);
  const auto first_key = [&](int nth) { return (kInParts ? nth_kv_tile(item, nth) : nth) * Bc; };

  const int warp = threadIdx.x / 32, lane = threadIdx.x % 32;
  const bool rests = kMayRest && first_row + warp * 16 >= a.n_q;
  typename R::Recorder recorder(record, kConsumerLane);
  // ldmatrix: the row and chunk of each lane. A and V: matrices down then across; K: across then down.
  const int x_of_row = swizzle<D>(lane);
  const int a_row = warp * 16 + (lane & 15), k_row = (lane & 7) + ((lane >> 4) << 3), v_row = lane & 15;
  const uint32_t q_at = sQ + a_row * D * 2, q_x = ((lane >> 4) ^ x_of_row) << 4;
  const uint32_t k_at = sK + k_row * D * 2, k_x = ((lane >> 3 & 1) ^ x_of_row) << 4;
  const uint32_t v_at = sV + v_row * D * 2, v_x = q_x;

  float o[D / 2], m[2], l[2];
#pragma unroll
  for (int e = 0; e < D / 2; ++e) o[e] = 0.0f;
  m[0] = m[1] = minus_infinity();
  l[0] = l[1] = 0.0f;

  if (tiles > 0) {
    load_tile<T, D, kV2ShortRows, kV2ShortThreads>(sQ, (const T*)a.q + q_base, first_row, a.n_q, a.d);
    load_tile<T, D, Bc, kV2ShortThreads>(sK, gK, first_key(tiles - 1), a.n_kv, a.d);
    cp_async_commit();
  }
  uint32_t q[kQInRegisters ? D / 16 : 1][4];

  // From the last tile down, so that the masked tiles come first.
  for (int tile = tiles - 1; tile >= 0; --tile) {
    cp_async_wait_all();
    __syncthreads();  // K is complete for all; all are done with the last V
    load_tile<T, D, Bc, kV2ShortThreads>(sV, gV, first_key(tile), a.n_kv, a.d);
    cp_async_commit();
    if (kQInRegisters && tile == tiles - 1) {
#pragma unroll
      for (int x = 0; x < D / 16; ++x) ldmatrix_x4(q[kQInRegisters ? x : 0], q_at + ((x * 32) ^ q_x));
    }

    // S = Q K^T
    float s[Bc / 2];
#pragma unroll
    for (int e = 0; e < Bc / 2; ++e) s[e] = 0.0f;
    if (!rests) {
#pragma unroll
      for (int x = 0; x < D / 16; ++x) {
        uint32_t(&qx)[4] = q[kQInRegisters ? x : 0];
        if constexpr (!kQInRegisters) ldmatrix_x4(qx, q_at + ((x * 32) ^ q_x));
        const uint32_t at = k_at + ((x * 32) ^ k_x);
#pragma unroll
        for (int n = 0; n < Bc / 16; ++n) {
          uint32_t k[4];
          ldmatrix_x4(k, at + n * 16 * D * 2);
          mma_16816<T>(&s[8 * n], qx, k[0], k[1]);
          mma_16816<T>(&s[8 * n + 4], qx, k[2], k[3]);
        }
      }
    }
    cp_async_wait_all();
    __syncthreads();  // V is complete for all; all are done with K
    if (tile > 0) {
      load_tile<T, D, Bc, kV2ShortThreads>(sK, gK, first_key(tile - 1), a.n_kv, a.d);
      cp_async_commit();
    }

    if (rests) continue;
    const int first_col = first_key(tile), row = first_row + warp * 16 + lane / 4;
    const bool crosses = kCausal && first_col + Bc - 1 > first_row + warp * 16 + a.causal_shift;
    if (first_col + Bc > a.n_kv || crosses) {
      const int last = a.n_kv - 1 - first_col, seen = row + a.causal_shift - first_col;
      mask_scores<Bc>(s, kCausal ? min(last, seen) : last, kCausal ? min(last, seen + 8) : last);
    }
    float alpha[2];
    if (softmax_step<Bc, true>(s, m, l, alpha, a.c)) shrink_rows(o, alpha);

      // O += P V: the accumulator layout of S is the operand layout of P.
#pragma unroll
    for (int y = 0; y < Bc / 16; ++y) {
      uint32_t p[4];
#pragma unroll
      for (int e = 0; e < 4; ++e) p[e] = pack2<T>(s[8 * y + 2 * e], s[8 * y + 2 * e + 1]);
      const uint32_t at = v_at + y * 16 * D * 2;
#pragma unroll
      for (int n = 0; n < D / 16; ++n) {
        uint32_t v[4];
        ldmatrix_x4_transposed(v, at + ((n * 32) ^ v_x));
        mma_16816<T>(&o[8 * n], p, v[0], v[1]);
        mma_16816<T>(&o[8 * n + 4], p, v[2], v[3]);
      }
    }
    recorder.sums(a, work.head, tile, row, m, l);
    recorder.output(a, work.head, tile, row, o);
  }

  __syncwarp();  // all of the warp's reads of its rows of sQ are done
  // Normalise, store. O goes through the warp's own rows of sQ, which no other warp reads, into 16-byte stores.
  const int tile_row = warp * 16 + lane / 4;
  if (kInParts && item.of > 1) {
    store_part<D>(a, o, m, l, (long long)item.slot * kV2ShortRows + tile_row, first_row + tile_row);
    return;
  }
#pragma unroll
  for (int h = 0; h < 2; ++h) {
    const float sum = quad_sum(l[h]);
    const float inverse = sum == 0.0f ? 0.0f : 1.0f / sum;
    const int row = first_row + tile_row + h * 8;
    if (a.lse != nullptr && lane % 4 == 0 && row < a.n_q) {
      a.lse[(long long)work.head * a.n_q + row] = row_lse(m[h], sum, a.c);
    }
#pragma unroll
    for (int j = 0; j < D / 8; ++j) {
      const uint32_t pair = pack2<T>(o[4 * j + 2 * h] * inverse, o[4 * j + 2 * h + 1] * inverse);
      *(uint32_t*)(shared + swizzled<D>(tile_row + h * 8, j) + (lane & 3) * 4) = pair;
    }
  }
  __syncwarp();
  T* gO = (T*)a.o + q_base;
#pragma unroll
  for (int i = 0; i < D / 16; ++i) {
    const int at = warp * 16 + (i * 32 + lane) / (D / 8), chunk = (i * 32 + lane) % (D / 8);
    const uint4 value = *(const uint4*)(shared + swizzled<D>(at, chunk));
    if (first_row + at < a.n_q && chunk * 8 < a.d)
      *(uint4*)(gO + (long long)(first_row + at) * a.d + chunk * 8) = value;
  }
}

template <class T, int D, bool kCausal, bool kInParts = false, class R = Silent>
cudaError_t launch_v2_short(ForwardArgs a, cudaStream_t stream, const R& record = {}) {
  auto* const kernel = &flash_v2_short<T, D, kCausal, kInParts, R>;
  constexpr int kShared = kV2ShortShared<D>;
  const cudaError_t raised = cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, kShared);
  if (raised != cudaSuccess) return raised;
  a.q_tiles = (a.n_q + kV2ShortRows - 1) / kV2ShortRows;
  kernel<<<kInParts ? work_items(a.parts) : a.q_tiles * a.all_heads, kV2ShortThreads, kShared, stream>>>(a, record);
  const cudaError_t launched = cudaGetLastError();
  if (!kInParts || launched != cudaSuccess) return launched;
  if constexpr (kInParts) return launch_join<T, D, kV2ShortRows, kCausal>(a, stream);
  return launched;
}

}  // namespace tilewalk::fast
