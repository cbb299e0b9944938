// The loading half of flash_v3's backward kernel: the layout of a thread block's shared memory, its walk, the barriers
// that pass tiles on, and the warps that load.
#pragma once

#include "core/problem/fast_kernels.h"
#include "kernels/fast/backward_shares.h"
#include "kernels/fast/flash_v2.h"
#include "kernels/fast/flash_v3_build.h"
#include "kernels/fast/hopper.h"

namespace tilewalk::fast {

struct BackwardMaps {
  CUtensorMap q, k, v, d_o, d_k, d_v, d_q;  // boxes of 64 rows by 64 columns
};

template <int kCount>
struct StageRing {  // the next stage and the parity of its current round
  int stage = 0;
  uint32_t parity = 0;
  __device__ void advance() {
    if (++stage == kCount) {
      stage = 0;
      parity ^= 1;
    }
  }
};

// Shared memory, in bytes from a multiple of 1024: K, V, stages of Q and dO, two stages of dS, the dQ being added to
// HBM, stages of L and D. Tiles are in columns of 64 elements: 128-byte lines, swizzled.
// kFewRows: a build for short rows, and where query heads are divided into shares. Heads from the last down, whose
// zeros and dO are still in L2, and no sums of rows past the last. With long rows both cost time
// (kernels/NOTES-backward.md). kDivided: it can store shares; at d = 128 that code costs the registers with which
// products overlap.
template <int kWidth, int kQueries, bool kFewRows = false, bool kDivided = kFewRows>
struct BackwardShape {
  static constexpr int D = kWidth, kRows = kQueries, kKeys = 128, kStages = 2;
  static constexpr bool kSums = true, kShort = kFewRows, kInShares = kDivided, kAllKeys = false;
  static constexpr int kGroups = kKeys / 64, kDsWriters = 4 * kGroups, kDsReaders = 4;  // arrivals
  static constexpr int kColumns = D / 64, kUnits = kRows / 64 * kColumns;               // units: 64 x 64 blocks of dQ
  static constexpr int kKv = kKeys * D * 2, kQ = kRows * D * 2, kDs = kKeys * kRows * 2, kUnit = 64 * 64 * 4;
  static constexpr int kAtV = kKv, kAtQ = 2 * kKv, kAtDo = kAtQ + kStages * kQ, kAtDs = kAtDo + kStages * kQ;
  static constexpr int kAtSums = kAtDs + 2 * kDs, kAtStats = kAtSums + kUnits * kUnit;
  static constexpr int kAtBarriers = kAtStats + kStages * kRows * 8;
  static constexpr int kBytes = kAtBarriers + 256 + 1024;
  static_assert(fast_tile(Contender::FlashV3Backward, D, false) == FastTile{kRows, kKeys});
  static_assert(fast_shared(Contender::FlashV3Backward, D, false) == kBytes);
  // barriers, 8 bytes each
  static constexpr int KFull = 0, VFull = 1, QFull = 2, DoFull = QFull + kStages, Empty = DoFull + kStages,
                       DsFull = Empty + kStages, DsEmpty = DsFull + kStages, StatsFull = DsEmpty + kStages,
                       StatsEmpty = StatsFull + kStages;
};

// Above d = 128, for dK and dV: K, V, stages of Q and dO, two stages of P in the order of the threads, stages of L and
// D. One block has 64 keys.
template <int kWidth>
struct KeysShape {
  static constexpr int D = kWidth, kRows = 64, kKeys = 64, kStages = D > 192 ? 2 : 3;
  static constexpr bool kSums = false, kShort = true, kInShares = true;
  static constexpr int kGroups = 2, kDsWriters = 128, kDsReaders = 128;
  static constexpr int kColumns = D / 64;
  static constexpr int kKv = kKeys * D * 2, kQ = kRows * D * 2, kDs = kKeys * kRows * 2;
  static constexpr int kAtV = kKv, kAtQ = 2 * kKv, kAtDo = kAtQ + kStages * kQ, kAtDs = kAtDo + kStages * kQ;
  static constexpr int kAtStats = kAtDs + kStages * kDs, kAtBarriers = kAtStats + kStages * kRows * 8;
  static constexpr int kBytes = kAtBarriers + 256 + 1024;
  static constexpr int KFull = 0, VFull = 1, QFull = 2, DoFull = QFull + kStages, Empty = DoFull + kStages,
                       DsFull = Empty + kStages, DsEmpty = DsFull + kStages, StatsFull = DsEmpty + kStages,
                       StatsEmpty = StatsFull + kStages;
};

__device__ inline uint4 load_four(uint32_t at) {
  uint4 four;
  asm volatile("ld.shared.v4.u32 {%0, %1, %2, %3}, [%4];"
               : "=r"(four.x), "=r"(four.y), "=r"(four.z), "=r"(four.w)
               : "r"(at)
               : "memory");
  return four;
}
__device__ inline void store_shared(uint32_t to, float4 x) {
  asm volatile("st.shared.v4.f32 [%0], {%1, %2, %3, %4};" ::"r"(to), "f"(x.x), "f"(x.y), "f"(x.z), "f"(x.w) : "memory");
}
__device__ inline float2 load_pair(uint32_t at) {
  float2 pair;
  asm volatile("ld.shared.v2.f32 {%0, %1}, [%2];" : "=f"(pair.x), "=f"(pair.y) : "r"(at) : "memory");
  return pair;
}

template <class S, bool kCausal>
struct BackwardLoading {
  static constexpr int D = S::D, kRows = S::kRows, kKeys = S::kKeys;

  const BackwardArgs& b;
  const ForwardArgs& a;
  const BackwardMaps& maps;
  uint32_t shared;
  int kv_head, first_col, first_tile, steps;

  __device__ uint32_t bar(int which) const { return shared + S::kAtBarriers + 8 * which; }
  __device__ uint32_t q_at(int stage) const { return shared + S::kAtQ + stage * S::kQ; }
  __device__ uint32_t do_at(int stage) const { return shared + S::kAtDo + stage * S::kQ; }
  __device__ uint32_t ds_at(int stage) const { return shared + S::kAtDs + stage * S::kDs; }

  struct Place {  // of a step: a query head and a tile of its rows
    int head, tile;
  };
  __device__ Place first_place() const {
    return {S::kInShares ? first_query_head(b, kv_head) : kv_head * a.heads_per_kv, first_tile};
  }
  __device__ void advance(Place& place) const {
    if (++place.tile == a.q_tiles) place.tile = first_tile, ++place.head;
  }
  __device__ long long tile_index(const Place& place) const { return (long long)place.head * a.q_tiles + place.tile; }

  // No row of a tile sees a key of a warpgroup, which then has nothing to compute. Rare with 128 rows, where the branch
  // costs more than it saves.
  __device__ bool hidden(int group, int first_row) const {
    return kCausal && kRows < kKeys && first_col + group * 64 > first_row + kRows - 1 + a.causal_shift;
  }

  __device__ void init_barriers() const {
    mbarrier_init(bar(S::KFull), 1), mbarrier_init(bar(S::VFull), 1);
    for (int i = 0; i < S::kStages; ++i) {
      mbarrier_init(bar(S::QFull + i), 1), mbarrier_init(bar(S::DoFull + i), 1);
      mbarrier_init(bar(S::Empty + i), 4 * S::kGroups);
      mbarrier_init(bar(S::StatsFull + i), 32), mbarrier_init(bar(S::StatsEmpty + i), 128 * S::kGroups);
      mbarrier_init(bar(S::DsFull + i), S::kDsWriters), mbarrier_init(bar(S::DsEmpty + i), S::kDsReaders);
    }
    mbarrier_init_fence();
  }

  __device__ void load_tile(uint32_t to, const CUtensorMap* map, uint32_t full, int rows, int first_row,
                            int head) const {
#pragma unroll
    for (int column = 0; column < S::kColumns; ++column) {
      for (int row = 0; row < rows; row += 64)
        tma_load(to + (column * rows + row) * 128, map, full, column * 64, first_row + row, head);
    }
  }

  // One thread starts the loads of tiles.
  __device__ void produce() const {
    if (steps == 0) return;
    mbarrier_expect(bar(S::KFull), S::kKv);
    const int of_keys = S::kInShares ? kv_head / b.shares : kv_head;
    load_tile(shared, &maps.k, bar(S::KFull), kKeys, first_col, of_keys);
    StageRing<S::kStages> ring;
    Place place = first_place();
    for (int step = 0; step < steps; ++step, ring.advance(), advance(place)) {
      mbarrier_wait(bar(S::Empty + ring.stage), ring.parity ^ 1);
      mbarrier_expect(bar(S::QFull + ring.stage), S::kQ);
      load_tile(q_at(ring.stage), &maps.q, bar(S::QFull + ring.stage), kRows, place.tile * kRows, place.head);
      if (step == 0) {
        mbarrier_expect(bar(S::VFull), S::kKv);
        load_tile(shared + S::kAtV, &maps.v, bar(S::VFull), kKeys, first_col, of_keys);
      }
      mbarrier_expect(bar(S::DoFull + ring.stage), S::kQ);
      load_tile(do_at(ring.stage), &maps.d_o, bar(S::DoFull + ring.stage), kRows, place.tile * kRows, place.head);
    }
  }

  // One warp copies L and D. All lanes arrive at its barriers, and all readers, so that racecheck can follow them.
  __device__ void copy_stats() const {
    const int lane = threadIdx.x % 32;
    constexpr int kEach = kRows * 2 / 128;
    StageRing<S::kStages> ring;
    const float4* from = (const float4*)(b.row_dot + tile_index(first_place()) * 2 * kRows) + lane;
    int tile = first_tile;
    wait_for_kernel_before();
    for (int step = 0; step < steps; ++step, ring.advance()) {
      float4 values[kEach];
#pragma unroll
      for (int i = 0; i < kEach; ++i) values[i] = from[i * 32];
      from += kEach * 32;
      if (++tile == a.q_tiles) tile = first_tile, from += (long long)first_tile * kEach * 32;
      mbarrier_wait(bar(S::StatsEmpty + ring.stage), ring.parity ^ 1);
#pragma unroll
      for (int i = 0; i < kEach; ++i)
        store_shared(shared + S::kAtStats + ring.stage * kRows * 8 + (i * 32 + lane) * 16, values[i]);
      mbarrier_arrive(bar(S::StatsFull + ring.stage));
    }
  }

  // The loading warpgroup.
  __device__ void load() const {
    if (threadIdx.x == 0) {
      produce();
    } else if (threadIdx.x / 32 == 1) {
      copy_stats();
    }
  }
};

}  // namespace tilewalk::fast
