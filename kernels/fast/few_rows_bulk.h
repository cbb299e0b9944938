// flash_v3's build for at most 16 rows of Q for each K and V head, as in decoding, without a mask, at head sizes up to
// 64, and multiples of 16 up to 128 (build_choice.h). As few_rows.h, but K and V come by Hopper's copy engine.
//
// Copies     A warp's 32 keys are contiguous in memory, of K and of V: one bulk copy each, as they are. No tensor map,
//            no padding, and no thread copies; copies by threads into padded rows reach 3.3 TB/s on an H200, these 4.4.
// Walk       A block has a part of a head's keys, in tiles of 128, and each of its 4 warps 32 keys of a tile. A warp
//            stores one K and one V: the next K is copied while V is multiplied, the next V while K is. Up to four
//            blocks, two above d = 64, share a multiprocessor, and the other warps' copies fill the waits.
// Fragments  Read by ordinary loads, in an order of keys, of Q's and K's columns and of V's columns of its own: a
//            thread (t = lane % 4, g = lane / 4) has, of a key's row, columns that are neighbours, so ldmatrix and a
//            swizzle are not needed. Rows of K: key 4 (g % 2) + g / 2 of eight. Rows of V: keys 4 e + t of 16, whose
//            pairs of keys become words by a byte permutation.
// Columns    V's of thread (t, g) are g kWide .. g kWide + kWide - 1. Where d / 8 is odd a thread reads the whole chunk
//            g, and those beyond d nothing.
// Shared     At d = 64, 112 and 128, where blocks would leave many multiprocessors without work at the end: one to
//            three blocks of each multiprocessor take one head after another, or equal stretches of all heads' keys
//            (work_items.h). While a head's last keys are multiplied, the next one's Q and first keys come.
// Measured   kernels/NOTES-decoding.md.
#pragma once

#include "kernels/fast/hopper.h"
#include "kernels/fast/join_warps.h"
#include "kernels/fast/mma_sm80.h"

namespace tilewalk::fast {

// kChunks: of 8 elements, d / 8. kShared: a block takes one item after another.
template <int kChunks, bool kShared>
struct BulkShape {
  static constexpr int kRows = kBulkRows.rows, kWarps = 4, kThreads = 32 * kWarps, kKeys = kBulkRows.keys / kWarps;
  static constexpr int kRow = 16 * kChunks, kTile = kKeys * kRow;  // bytes
  static constexpr int kWide = kChunks % 2 == 0 ? kChunks : 8;     // columns of V of a thread
  static constexpr int D = bulk_rows(8 * kChunks).d;               // columns of a part in memory
  static constexpr int kTiles = 128;                               // where tiles begin, after all barriers
  static constexpr int kLoads = kTiles + kWarps * 2 * kTile;
  static constexpr int kSums = kWarps * kRows * (8 * kChunks + 2) * 4;  // at the end
  static constexpr int kBlocks =
      kShared && kChunks <= 8 ? 3 : bulk_rows(8 * kChunks).blocks;  // at most, of a multiprocessor
  static constexpr int kSumsAt = kShared ? kLoads : kTiles;         // the next head's tiles are in their place
  static constexpr int kBytes = kLoads > kSumsAt + kSums ? kLoads : kSumsAt + kSums;
};

// Contiguous bytes, a multiple of 16, read once.
__device__ inline void bulk_load_once(uint32_t to, const void* from, int bytes, uint32_t bar) {
  uint64_t evict_first;
  asm("createpolicy.fractional.L2::evict_first.b64 %0, 1.0;" : "=l"(evict_first));
  asm volatile(
      "cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes.L2::cache_hint [%0], [%1], %2, [%3], %4;" ::
          "r"(to),
      "l"(from), "r"(bytes), "r"(bar), "l"(evict_first)
      : "memory");
}

template <int kWords>
__device__ inline void load_words(uint32_t (&r)[kWords], uint32_t from) {
  constexpr int kAtOnce = kWords % 4 == 0 ? 4 : kWords % 2 == 0 ? 2 : 1;
#pragma unroll
  for (int i = 0; i < kWords; i += kAtOnce) {
    if constexpr (kAtOnce == 4)
      asm volatile("ld.shared.v4.u32 {%0, %1, %2, %3}, [%4];"
                   : "=r"(r[i]), "=r"(r[i + 1]), "=r"(r[i + 2]), "=r"(r[i + 3])
                   : "r"(from + 4 * i)
                   : "memory");
    else if constexpr (kAtOnce == 2)
      asm volatile("ld.shared.v2.u32 {%0, %1}, [%2];" : "=r"(r[i]), "=r"(r[i + 1]) : "r"(from + 4 * i) : "memory");
    else
      asm volatile("ld.shared.u32 %0, [%1];" : "=r"(r[i]) : "r"(from + 4 * i) : "memory");
  }
}

// Of two pairs of 16-bit numbers: the low ones, the high ones.
__device__ inline uint32_t low_halves(uint32_t a, uint32_t b) { return __byte_perm(a, b, 0x5410); }
__device__ inline uint32_t high_halves(uint32_t a, uint32_t b) { return __byte_perm(a, b, 0x7632); }

template <class T, int kChunks, bool kShared>
__device__ inline void few_rows_block(const ForwardArgs& a, const Stretches& stretches) {
  using S = BulkShape<kChunks, kShared>;
  constexpr int d = 8 * kChunks, kFours = kChunks / 4, kTwo = kChunks % 4 / 2, kOne = kChunks % 2, kWide = S::kWide;
  extern __shared__ __align__(128) unsigned char shared[];
  let_next_begin();
  const int warp = threadIdx.x / 32, lane = threadIdx.x % 32, t = lane % 4, g = lane / 4;
  const int keys = S::kWarps * S::kKeys;
  WorkItem item;
  const T *gK, *gV;
  int tiles, next = blockIdx.x, end = a.parts.whole;  // kShared: whole heads, or KV tiles of a stretch
  if (kShared && a.parts.tiles > 0) {
    next = (int)stretch_begin(stretches, blockIdx.x);
    end = (int)stretch_begin(stretches, blockIdx.x + 1);
  }
  const auto take = [&] {
    if (kShared && a.parts.tiles > 0) {
      item = stretch_item(stretches, blockIdx.x, next, tiles);
      next += tiles;
    } else {
      item = work_item(a.parts, next);
      tiles = kv_tiles_of(item, (a.n_kv + keys - 1) / keys);
      next += gridDim.x;
    }
    const long long kv_base = (long long)item.tile / a.heads_per_kv * a.n_kv * d;
    gK = (const T*)a.k + kv_base, gV = (const T*)a.v + kv_base;
  };
  take();
  const auto first_key = [&](int nth) { return nth_kv_tile(item, nth) * keys + warp * S::kKeys; };
  const uint32_t bars = shared_address(shared) + warp * 16;  // of K, of V
  const uint32_t mine = shared_address(shared) + S::kTiles + warp * 2 * S::kTile;
  if (lane == 0) {
    mbarrier_init(bars, 1), mbarrier_init(bars + 8, 1);
    mbarrier_init_fence();
    fence_async_proxy();
  }
  __syncwarp();

  // Copies K (which 0) or V (1) of the warp's keys of the nth tile. A weight of 0 times V must be 0, so V is finite
  // beyond the last key too: those rows are of the warp's last tile, and no copy writes them.
  const auto load = [&](int nth, int which) {
    if (nth >= tiles) return;
    const int first = first_key(nth), rows = max(0, min(S::kKeys, a.n_kv - first));
    const uint32_t to = mine + which * S::kTile, bar = bars + 8 * which;
    if (which == 1) {
      for (int at = rows * S::kRow + 16 * lane; at < S::kTile; at += 16 * 32)
        asm volatile("st.shared.v4.u32 [%0], {%1, %1, %1, %1};" ::"r"(to + at), "r"(0) : "memory");
      if (kShared && rows < S::kKeys) fence_async_proxy();  // the next head's copy writes there
    }
    if (lane == 0) {
      mbarrier_expect(bar, rows * S::kRow);
      if (rows > 0) bulk_load_once(to, (which == 1 ? gV : gK) + (long long)first * d, rows * S::kRow, bar);
    }
    __syncwarp();
  };
  load(0, 0), load(0, 1);

  uint32_t q4[kFours + 1][2][4], q2[4], q1[2];  // K's order of columns
  const auto load_q = [&] {
    const unsigned char* const gQ = (const unsigned char*)((const T*)a.q + (long long)item.tile * a.n_q * d);
#pragma unroll
    for (int h = 0; h < 2; ++h) {
      const int row = g + 8 * h;
      const bool inside = row < a.n_q;
      const unsigned char* const from = gQ + row * S::kRow;
#pragma unroll
      for (int i = 0; i < kFours; ++i) {
        const uint4 x = inside ? *(const uint4*)(from + 64 * i + 16 * t) : uint4{};
        q4[i][0][h] = x.x, q4[i][0][2 + h] = x.y, q4[i][1][h] = x.z, q4[i][1][2 + h] = x.w;
      }
      if constexpr (kTwo) {
        const uint2 x = inside ? *(const uint2*)(from + 64 * kFours + 8 * t) : uint2{};
        q2[h] = x.x, q2[2 + h] = x.y;
      }
      if constexpr (kOne) q1[h] = inside ? *(const uint32_t*)(from + 64 * kFours + 32 * kTwo + 4 * t) : 0u;
    }
  };
  load_q();

  for (uint32_t turn = 0;;) {  // kShared: over the block's heads
    const WorkItem now = item;
    const int count = tiles;
    const bool more = kShared && next < end;
    float o[4 * kWide], m[2] = {minus_infinity(), minus_infinity()}, l[2] = {0.0f, 0.0f};
#pragma unroll
    for (int e = 0; e < 4 * kWide; ++e) o[e] = 0.0f;
    const int k_at = (4 * (g % 2) + g / 2) * S::kRow, v_at = t * S::kRow + 2 * kWide * g;
    for (int nth = 0; nth < count; ++nth, turn ^= 1) {
      float s[S::kKeys / 2];
#pragma unroll
      for (int e = 0; e < S::kKeys / 2; ++e) s[e] = 0.0f;
      mbarrier_wait(bars, kShared ? turn : nth & 1);
      __syncwarp();  // the lanes leave the wait one by one, and mma.sync needs them together
#pragma unroll
      for (int j = 0; j < S::kKeys / 8; ++j) {
        const uint32_t at = mine + 8 * j * S::kRow + k_at;
#pragma unroll
        for (int i = 0; i < kFours; ++i) {
          uint32_t k[4];
          load_words(k, at + 64 * i + 16 * t);
          mma_16816<T>(&s[4 * j], q4[i][0], k[0], k[1]);
          mma_16816<T>(&s[4 * j], q4[i][1], k[2], k[3]);
        }
        if constexpr (kTwo) {
          uint32_t k[2];
          load_words(k, at + 64 * kFours + 8 * t);
          mma_16816<T>(&s[4 * j], q2, k[0], k[1]);
        }
        if constexpr (kOne) {
          uint32_t k[1];
          load_words(k, at + 64 * kFours + 32 * kTwo + 4 * t);
          mma_1688<T>(&s[4 * j], q1[0], q1[1], k[0]);
        }
      }
      __syncwarp();
      const int left = a.n_kv - first_key(nth) - t;
      const bool leaves = kShared && nth + 1 == count;  // for the block's next head
      if (!leaves) load(nth + 1, 0);
      if (leaves && more) take(), load(0, 0), load_q();
      if (left < S::kKeys) {
#pragma unroll
        for (int j = 0; j < S::kKeys / 8; ++j) {
#pragma unroll
          for (int e = 0; e < 4; ++e)
            if (8 * j + 4 * (e % 2) >= left) s[4 * j + e] = minus_infinity();
        }
      }
      float alpha[2];
      if (softmax_step<S::kKeys, true>(s, m, l, alpha, a.c)) shrink_rows(o, alpha);

      mbarrier_wait(bars + 8, kShared ? turn : nth & 1);
      __syncwarp();
#pragma unroll
      for (int y = 0; y < S::kKeys / 16; ++y) {
        uint32_t p[4], v[4][kWide / 2];
#pragma unroll
        for (int e = 0; e < 4; ++e) {
          p[e] = pack2<T>(s[8 * y + 2 * e], s[8 * y + 2 * e + 1]);
          if (kOne && g >= kChunks) {
#pragma unroll
            for (int i = 0; i < kWide / 2; ++i) v[e][i] = 0u;
          } else {
            load_words(v[e], mine + S::kTile + (16 * y + 4 * e) * S::kRow + v_at);
          }
        }
#pragma unroll
        for (int i = 0; i < kWide / 2; ++i) {
          mma_16816<T>(&o[8 * i], p, low_halves(v[0][i], v[1][i]), low_halves(v[2][i], v[3][i]));
          mma_16816<T>(&o[8 * i + 4], p, high_halves(v[0][i], v[1][i]), high_halves(v[2][i], v[3][i]));
        }
      }
      __syncwarp();
      if (!leaves || more) load(leaves ? 0 : nth + 1, 1);
    }

    if constexpr (!kShared) __syncthreads();  // all tiles are read; barriers are no place for other data
    float* const sums = (float*)(shared + S::kSumsAt);
    constexpr int kWidth = d + 2;
#pragma unroll
    for (int h = 0; h < 2; ++h) {
      const float sum = quad_sum(l[h]);
      float* const to = sums + (warp * S::kRows + h * 8 + g) * kWidth;
      if (t == 0) to[d] = m[h], to[d + 1] = sum;
#pragma unroll
      for (int e = 0; e < 2; ++e) {
        if (kOne && 2 * t + e >= kChunks) continue;
#pragma unroll
        for (int j = 0; j < kWide; ++j) to[(2 * t + e) * kWide + j] = o[4 * j + 2 * h + e];
      }
    }
    __syncthreads();
    const bool whole = kShared && a.parts.tiles > 0 ? now.slot < 0 : now.of == 1;
    join_warps<T, d, S::D, S::kWarps>(a, now, whole, sums);
    if (!more) return;
    __syncthreads();  // the sums are read
  }
}

template <class T, int kChunks>
__global__ void __launch_bounds__(128, BulkShape<kChunks, false>::kBlocks) few_rows_bulk(const ForwardArgs a) {
  few_rows_block<T, kChunks, false>(a, {});
}

// Thread blocks are fewer than the items.
template <class T, int kChunks>
__global__ void __launch_bounds__(128, BulkShape<kChunks, true>::kBlocks)
    few_rows_bulk_shared(const ForwardArgs a, const Stretches stretches) {
  few_rows_block<T, kChunks, true>(a, stretches);
}

}  // namespace tilewalk::fast
