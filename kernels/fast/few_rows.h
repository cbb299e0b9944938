// Attention of at most 16 rows of Q for each K and V head, as in decoding, without a mask, at head sizes up to 64,
// where tiles are divided along the keys (Parts, forward_args.h). A build of both flash_v2 and flash_v3
// (build_choice.h).
//
// Idea       Such a call reads K and V once and computes little, so its time is DRAM's. Rows of K and V are contiguous
//            and are copied as they are, 16 bytes a thread; flash_v2's and flash_v3's tiles of 64 to 192 rows leave
//            most warps without rows, and tensor copies read rows of 48 or 80 bytes in pieces of 32.
// Walk       A block has a part of a head's keys, in tiles of 128. Each of its 4 warps has 32 keys of a tile and all
//            rows, stages of its own, and its own m, l and O: the loop has no barrier of the block. At the end the four
//            are joined.
// Shared     Rows of an odd number of 16-byte chunks (one is unused where d / 8 is even), so that eight rows of one
//            chunk are in different banks.
// Products   mma.sync, m16n8k16, and m16n8k8 for a last odd chunk of Q K^T.
// Measured   kernels/NOTES-decoding.md.
#pragma once

#include "core/problem/build_choice.h"
#include "kernels/fast/forward_args.h"
#include "kernels/fast/join_warps.h"
#include "kernels/fast/mma_sm80.h"
#include "kernels/fast/softmax.h"

namespace tilewalk::fast {

template <int kChunks>  // of 8 elements: d / 8
struct FewRowsShape {
  static constexpr int kRows = kFewRows.rows, kKeys = kFewRows.keys, kWarps = 4, kThreads = 32 * kWarps;
  static constexpr int kWarpKeys = kKeys / kWarps, kStages = 2;
  static constexpr int kStride = (kChunks | 1) * 16;                     // bytes of a row of K or V
  static constexpr int kTile = kWarpKeys * kStride, kStage = 2 * kTile;  // of a warp
  static constexpr int D = kChunks > 4 ? 64 : 32;                        // columns of a part in memory
  static constexpr int kSums = kWarps * kRows * (8 * kChunks + 2) * 4;   // at the end
  static constexpr int kLoads = kWarps * kStages * kStage, kBytes = kLoads > kSums ? kLoads : kSums;
};

template <class T, int kChunks>
__global__ void __launch_bounds__(128, kFewRows.blocks) few_rows_forward(const ForwardArgs a) {
  using S = FewRowsShape<kChunks>;
  constexpr int kPairs = kChunks / 2, kOdd = kChunks % 2, d = 8 * kChunks, kStride = S::kStride, kStages = S::kStages;
  extern __shared__ __align__(128) unsigned char shared[];
  let_next_begin();
  const WorkItem item = work_item(a.parts, blockIdx.x);
  const int head = item.tile, warp = threadIdx.x / 32, lane = threadIdx.x % 32;
  const long long kv_base = (long long)head / a.heads_per_kv * a.n_kv * d;
  const uint4* const gK = (const uint4*)((const T*)a.k + kv_base);
  const uint4* const gV = (const uint4*)((const T*)a.v + kv_base);
  const int tiles = kv_tiles_of(item, (a.n_kv + S::kKeys - 1) / S::kKeys);
  const auto first_key = [&](int nth) { return nth_kv_tile(item, nth) * S::kKeys + warp * S::kWarpKeys; };
  const uint32_t mine = shared_address(shared) + warp * kStages * S::kStage;

  // The warp's rows of K and V of one tile, in the order of memory.
  const auto load = [&](int nth) {
    if (nth < tiles) {
      const uint32_t to = mine + nth % kStages * S::kStage;
      const int first = first_key(nth);
      const long long from = (long long)first * kChunks;
#pragma unroll
      for (int i = 0; i < kChunks; ++i) {
        const int e = i * 32 + lane, row = e / kChunks, chunk = e % kChunks;
        const bool inside = first + row < a.n_kv;
        const uint32_t place = to + row * kStride + chunk * 16;
        cp_async_16(place, inside ? gK + from + e : gK, inside);
        cp_async_16(place + S::kTile, inside ? gV + from + e : gV, inside);
      }
    }
    cp_async_commit();
  };
#pragma unroll
  for (int i = 0; i < kStages - 1; ++i) load(i);

  uint32_t q[kPairs + 1][4];  // of a last odd chunk two words
  const uint32_t* const gQ = (const uint32_t*)((const T*)a.q + (long long)head * a.n_q * d) + lane % 4;
#pragma unroll
  for (int x = 0; x < kPairs + kOdd; ++x) {
#pragma unroll
    for (int e = 0; e < 4; ++e) {
      const int row = lane / 4 + e % 2 * 8, chunk = 2 * x + e / 2;
      q[x][e] = row < a.n_q && chunk < kChunks ? gQ[(row * kChunks + chunk) * 4] : 0u;
    }
  }

  float o[4 * kChunks], m[2] = {minus_infinity(), minus_infinity()}, l[2] = {0.0f, 0.0f};
#pragma unroll
  for (int e = 0; e < 4 * kChunks; ++e) o[e] = 0.0f;
  const uint32_t k_at = ((lane & 7) + (lane >> 4 << 3)) * kStride + (lane >> 3 & 1) * 16;
  const uint32_t v_at = (lane & 15) * kStride + (lane >> 4) * 16, odd_at = lane * kStride + (kChunks - 1) * 16;
  for (int nth = 0; nth < tiles; ++nth) {
    cp_async_wait<kStages - 2>();
    __syncwarp();
    load(nth + kStages - 1);
    const uint32_t at = mine + nth % kStages * S::kStage;

    float s[S::kWarpKeys / 2];
#pragma unroll
    for (int e = 0; e < S::kWarpKeys / 2; ++e) s[e] = 0.0f;
#pragma unroll
    for (int x = 0; x < kPairs; ++x) {
#pragma unroll
      for (int n = 0; n < S::kWarpKeys / 16; ++n) {
        uint32_t k[4];
        ldmatrix_x4(k, at + k_at + n * 16 * kStride + x * 32);
        mma_16816<T>(&s[8 * n], q[x], k[0], k[1]);
        mma_16816<T>(&s[8 * n + 4], q[x], k[2], k[3]);
      }
    }
    if constexpr (kOdd) {
      uint32_t k[4];
      ldmatrix_x4(k, at + odd_at);
#pragma unroll
      for (int n = 0; n < 4; ++n) mma_1688<T>(&s[4 * n], q[kPairs][0], q[kPairs][1], k[n]);
    }
    const int last = a.n_kv - 1 - first_key(nth);
    if (last < S::kWarpKeys - 1) mask_scores<S::kWarpKeys>(s, last, last);
    float alpha[2];
    if (softmax_step<S::kWarpKeys, true>(s, m, l, alpha, a.c)) shrink_rows(o, alpha);

    uint32_t odd[4];
    if constexpr (kOdd) ldmatrix_x4_transposed(odd, at + S::kTile + odd_at);
#pragma unroll
    for (int y = 0; y < S::kWarpKeys / 16; ++y) {
      uint32_t p[4];
#pragma unroll
      for (int e = 0; e < 4; ++e) p[e] = pack2<T>(s[8 * y + 2 * e], s[8 * y + 2 * e + 1]);
#pragma unroll
      for (int n = 0; n < kPairs; ++n) {
        uint32_t v[4];
        ldmatrix_x4_transposed(v, at + S::kTile + v_at + y * 16 * kStride + n * 32);
        mma_16816<T>(&o[8 * n], p, v[0], v[1]);
        mma_16816<T>(&o[8 * n + 4], p, v[2], v[3]);
      }
      if constexpr (kOdd) mma_16816<T>(&o[8 * kPairs], p, odd[2 * y], odd[2 * y + 1]);
    }
  }

  // The warps' sums, joined: rows of d sums, m and l.
  cp_async_wait_all();
  __syncthreads();
  float* const sums = (float*)shared;
  constexpr int kWidth = d + 2;
#pragma unroll
  for (int h = 0; h < 2; ++h) {
    const float sum = quad_sum(l[h]);
    float* const to = sums + (warp * S::kRows + h * 8 + lane / 4) * kWidth;
    if (lane % 4 == 0) to[d] = m[h], to[d + 1] = sum;
#pragma unroll
    for (int j = 0; j < kChunks; ++j) {
#pragma unroll
      for (int e = 0; e < 2; ++e) to[8 * j + 2 * (lane & 3) + e] = o[4 * j + 2 * h + e];
    }
  }
  __syncthreads();
  join_warps<T, d, S::D, S::kWarps>(a, item, item.of == 1, sums);
}

}  // namespace tilewalk::fast
