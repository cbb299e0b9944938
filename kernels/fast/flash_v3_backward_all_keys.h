// FlashAttention-3's backward kernel up to d = 128 where one thread block has all keys of a K and V head
// (core/problem/backward_build.h). dQ of a tile of rows is then complete in the block, which rounds and stores it: no
// sums in HBM, no zeros for them, and no kernel that rounds them. The warpgroup of dQ loads too, so that at d = 64 a
// third one can compute, 192 keys in all, with enough registers. flash_v3_backward.cu describes the rest.
#pragma once

#include "core/problem/backward_build.h"
#include "kernels/fast/flash_v3_backward_kernel.h"

namespace tilewalk::fast {

// Shared memory as in BackwardShape; dQ of 64 rows by 64 columns is in bf16 or fp16 there. kDivided: as there.
template <int kWidth, int kQueries, int kKeyCount, bool kDivided = true>
struct AllKeysShape {
  static constexpr int D = kWidth, kRows = kQueries, kKeys = kKeyCount, kStages = 2;
  static constexpr bool kSums = false, kShort = true, kInShares = kDivided, kAllKeys = true;
  static constexpr int kGroups = kKeys / 64, kDsWriters = 4 * kGroups, kDsReaders = 4;  // arrivals
  // For each of a warpgroup's 128 lanes 512 in all of four warpgroups, 504 of three.
  static constexpr int kThreads = 128 * (1 + kGroups);
  static constexpr int kSumRegisters = kGroups == 3 ? 80 : 88, kComputeRegisters = kGroups == 3 ? 144 : 208;
  static constexpr int kColumns = D / 64, kUnits = kRows / 64 * kColumns;
  static constexpr int kKv = kKeys * D * 2, kQ = kRows * D * 2, kDs = kKeys * kRows * 2, kUnit = 64 * 64 * 2;
  static constexpr int kAtV = kKv, kAtQ = 2 * kKv, kAtDo = kAtQ + kStages * kQ, kAtDs = kAtDo + kStages * kQ;
  static constexpr int kAtSums = kAtDs + 2 * kDs, kAtStats = kAtSums + kUnit;
  static constexpr int kAtBarriers = kAtStats + kStages * kRows * 8;
  static constexpr int kBytes = kAtBarriers + 256 + 1024;
  static_assert((D > 64 ? fast::kWideAllKeys : fast::kAllKeysBuilds[kKeys > 128].tile) == FastTile{kRows, kKeys});
  static_assert(kBytes <= fast_shared(Contender::FlashV3Backward, D, false));
  static constexpr int KFull = 0, VFull = 1, QFull = 2, DoFull = QFull + kStages, Empty = DoFull + kStages,
                       DsFull = Empty + kStages, DsEmpty = DsFull + kStages, StatsFull = DsEmpty + kStages,
                       StatsEmpty = StatsFull + kStages;
};

template <class T, class S, bool kCausal>
struct FlashV3BackwardAllKeys : FlashV3Backward<T, S, kCausal> {
  using Base = FlashV3Backward<T, S, kCausal>;
  using Base::a, Base::b, Base::maps, Base::shared, Base::kv_head, Base::steps, Base::kRows, Base::kKeys, Base::bar,
      Base::q_at, Base::do_at, Base::ds_at, Base::first_place, Base::advance, Base::tile_index, Base::hidden,
      Base::load_tile;
  using typename Base::Place;

  // One thread starts the loads of a step, and of K and V with the first.
  __device__ void load_step(const Place& place, int step) const {
    const int stage = step % S::kStages;
    const uint32_t parity = step / S::kStages % 2;
    const int of_keys = kv_head / b.shares;
    if (step == 0) {
      mbarrier_expect(bar(S::KFull), S::kKv);
      load_tile(shared, &maps.k, bar(S::KFull), kKeys, 0, of_keys);
    }
    mbarrier_wait(bar(S::Empty + stage), parity ^ 1);
    mbarrier_expect(bar(S::QFull + stage), S::kQ);
    load_tile(q_at(stage), &maps.q, bar(S::QFull + stage), kRows, place.tile * kRows, place.head);
    if (step == 0) {
      mbarrier_expect(bar(S::VFull), S::kKv);
      load_tile(shared + S::kAtV, &maps.v, bar(S::VFull), kKeys, 0, of_keys);
    }
    mbarrier_expect(bar(S::DoFull + stage), S::kQ);
    load_tile(do_at(stage), &maps.d_o, bar(S::DoFull + stage), kRows, place.tile * kRows, place.head);
  }

  // One warp copies L and D of a step. All lanes arrive, and all readers, so that racecheck can follow them.
  __device__ void copy_stats(const Place& place, int step) const {
    constexpr int kEach = kRows * 2 / 128;
    const int lane = threadIdx.x % 32, stage = step % S::kStages;
    const float4* const from = (const float4*)(b.row_dot + tile_index(place) * 2 * kRows) + lane;
    float4 values[kEach];
#pragma unroll
    for (int i = 0; i < kEach; ++i) values[i] = from[i * 32];
    mbarrier_wait(bar(S::StatsEmpty + stage), step / S::kStages % 2 ^ 1);
#pragma unroll
    for (int i = 0; i < kEach; ++i)
      store_shared(shared + S::kAtStats + stage * kRows * 8 + (i * 32 + lane) * 16, values[i]);
    mbarrier_arrive(bar(S::StatsFull + stage));
  }

  __device__ void begin_step(const Place& place, int step) const {
    if (step >= steps) return;
    if (threadIdx.x == 0) load_step(place, step);
    if (threadIdx.x / 32 == 1) copy_stats(place, step);
  }

  // The first warpgroup: loads of the step after the next one, then dQ = dS K of a step, complete.
  __device__ void load_and_store_dq() const {
    Place place = first_place(), ahead = place;
    if (threadIdx.x / 32 == 1) wait_for_kernel_before();
    for (int step = 0; step < S::kStages; ++step, advance(ahead)) begin_step(ahead, step);
    __syncwarp();
    StageRing<S::kStages> ring;
    if (steps > 0) mbarrier_wait(bar(S::KFull), 0);
    for (int step = 0; step < steps; ++step, ring.advance(), advance(place)) {
      mbarrier_wait(bar(S::DsFull + ring.stage), ring.parity);
#pragma unroll
      for (int unit = 0; unit < S::kUnits; ++unit) {
        float d_q[32];
        const uint64_t d_s = wgmma_descriptor(ds_at(ring.stage) + unit / S::kColumns * kKeys * 128, 16, 1024);
        const uint64_t k = wgmma_descriptor(shared + unit % S::kColumns * kKeys * 128, 16, 1024);
        wgmma_pin(d_q);
#pragma unroll
        for (int group = 0; group < S::kGroups; ++group) {
          if (group > 0 && hidden(group, place.tile * kRows)) continue;
          wgmma_fence();
#pragma unroll
          for (int y = 4 * group; y < 4 * group + 4; ++y)
            Wgmma<64>::template tt<T>(d_q, d_s + ((y * 16 * 128) >> 4), k + ((y * 16 * 128) >> 4), y > 0);
        }
        wgmma_commit();
        wgmma_wait<0>();
        wgmma_pin(d_q);
        if (unit == S::kUnits - 1 && threadIdx.x % 32 == 0) mbarrier_arrive(bar(S::DsEmpty + ring.stage));
        store_dq(d_q, place, unit);
      }
      begin_step(ahead, step + S::kStages);
      advance(ahead);
      __syncwarp();
    }
    if (threadIdx.x == 0) tma_store_wait_read();
  }

  // A block of 64 x 64 of the tile's dQ, rounded, through shared memory to HBM.
  __device__ void store_dq(const float (&d_q)[32], const Place& place, int unit) const {
    const int warp = threadIdx.x / 32, lane = threadIdx.x % 32, barrier = 1 + S::kGroups;
    if (threadIdx.x == 0) tma_store_wait_read();  // of the block before
    named_barrier_sync(barrier, 128);
    const uint32_t line = shared + S::kAtSums + (warp * 16 + (lane & 15)) * 128;
#pragma unroll
    for (int n = 0; n < 4; ++n) {
      const float* const f = d_q + 8 * n;
      stmatrix_x4(line + (((n * 2 + (lane >> 4)) ^ (lane & 7)) << 4), pack2<T>(f[0] * b.scale, f[1] * b.scale),
                  pack2<T>(f[2] * b.scale, f[3] * b.scale), pack2<T>(f[4] * b.scale, f[5] * b.scale),
                  pack2<T>(f[6] * b.scale, f[7] * b.scale));
    }
    fence_async_proxy();
    named_barrier_sync(barrier, 128);
    if (threadIdx.x == 0) {
      const int row = place.tile * kRows + unit / S::kColumns * 64;
      tma_store(&maps.d_q, shared + S::kAtSums, unit % S::kColumns * 64, row, place.head);
      tma_store_commit();
    }
  }
};

template <class T, class S, bool kCausal>
__global__ void __launch_bounds__(S::kThreads, 1)
    flash_v3_backward_all_keys(const BackwardArgs b, const __grid_constant__ BackwardMaps maps) {
  extern __shared__ unsigned char raw[];
  const uint32_t shared = (shared_address(raw) + 1023) & ~1023u;
  const ForwardArgs& a = b.forward;
  const int kv_head = gridDim.x - 1 - blockIdx.x;  // from the last, whose dO is still in L2
  const int steps = a.q_tiles * (first_query_head(b, kv_head + 1) - first_query_head(b, kv_head));
  const FlashV3BackwardAllKeys<T, S, kCausal> flash{{{b, a, maps, shared, kv_head, 0, 0, steps}}};
  if (threadIdx.x == 0) flash.init_barriers();
  let_next_begin();
  __syncthreads();
  const int warpgroup = __shfl_sync(0xffffffffu, threadIdx.x / 128, 0);
  if (warpgroup == 0) {
    shrink_registers<S::kSumRegisters>();
    flash.load_and_store_dq();
  } else {
    grow_registers<S::kComputeRegisters>();
    flash.compute(warpgroup - 1);
  }
}

}  // namespace tilewalk::fast
