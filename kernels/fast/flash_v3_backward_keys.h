// dK and dV of FlashAttention-3's backward pass above d = 128, 64 keys a thread block. flash_v3_backward.cu describes
// it.
#pragma once

#include "kernels/fast/backward_shares.h"
#include "kernels/fast/flash_v3_backward_scores.h"
#include "kernels/fast/flash_v3_backward_wide.h"

namespace tilewalk::fast {

// dK and dV of 64 keys: one warpgroup computes S, P and dV, the other dP, dS and dK.
template <class T, class S, bool kCausal>
struct BackwardKeys : BackwardLoading<S, kCausal> {
  using Base = BackwardLoading<S, kCausal>;
  using Base::a, Base::b, Base::maps, Base::shared, Base::kv_head, Base::first_col, Base::first_tile, Base::steps,
      Base::D, Base::bar, Base::q_at, Base::do_at, Base::ds_at, Base::first_place, Base::advance;
  using typename Base::Place;
  using Stages = StageRing<S::kStages>;
  // The next step's scores are multiplied behind this step's gradient; needs a third stage.
  static constexpr bool kAhead = S::kStages > 2;

  __device__ void store_keys(const float (&acc)[D / 2], float factor, uint32_t to, const CUtensorMap* map, float* parts,
                             int barrier) const {
    if (b.shares > 1)
      store_sums<D>(acc, factor, parts + (long long)kv_head * a.n_kv * a.d, first_col + threadIdx.x % 128 / 32 * 16,
                    a.n_kv, a.d);
    else
      store_rows<T, D>(acc, factor, to, 64, map, first_col, kv_head, barrier);
  }

  __device__ void sum_dv() const {
    const int thread = threadIdx.x % 128, warp = thread / 32, lane = thread % 32;
    const int key = first_col + warp * 16 + lane / 4;
    float d_v[D / 2], s[32];
#pragma unroll
    for (int e = 0; e < D / 2; ++e) d_v[e] = 0.0f;
    Stages ring;
    Place place = first_place();
    if (steps > 0) {
      mbarrier_wait(bar(S::KFull), 0);
      mbarrier_wait(bar(S::QFull), 0);
      multiply_rows<T, D>(s, shared, 64, q_at(0), 64);
      wgmma_wait<0>();
      wgmma_pin(s);
    }
#pragma unroll 1
    for (int step = 0; step < steps; ++step, advance(place)) {
      const int stage = ring.stage, first_row = place.tile * 64;
      const uint32_t parity = ring.parity, stats = shared + S::kAtStats + stage * 512 + 8 * (lane & 3);
      ring.advance();
      mbarrier_wait(bar(S::StatsFull + stage), parity);
      if (first_col + 64 > a.n_kv || (kCausal && first_col + 63 > first_row + a.causal_shift))
        hide_keys<kCausal, 64>(a, s, first_row, key);
      uint32_t p[4][4];
      weights_of<T, 64>(p, s, a.c, stats);
      mbarrier_arrive(bar(S::StatsEmpty + stage));
      mbarrier_wait(bar(S::DsEmpty + stage), parity ^ 1);
#pragma unroll
      for (int y = 0; y < 4; ++y)
        store_shared(ds_at(stage) + y * 2048 + thread * 16, float4{__uint_as_float(p[y][0]), __uint_as_float(p[y][1]),
                                                                   __uint_as_float(p[y][2]), __uint_as_float(p[y][3])});
      mbarrier_arrive(bar(S::DsFull + stage));
      mbarrier_wait(bar(S::DoFull + stage), parity);
      add_product<T, D>(d_v, p, do_at(stage));
      if constexpr (!kAhead) {
        wgmma_wait<0>();
        wgmma_pin(d_v);
        if (lane == 0) mbarrier_arrive(bar(S::Empty + stage));
      }
      if (step + 1 < steps) mbarrier_wait(bar(S::QFull + ring.stage), ring.parity);
      multiply_rows<T, D>(s, shared, 64, q_at(ring.stage), 64);  // after the last step unused
      wgmma_wait<0>();
      wgmma_pin(s);
      if constexpr (kAhead) {
        wgmma_pin(d_v);
        if (lane == 0) mbarrier_arrive(bar(S::Empty + stage));
      }
    }
    // Through the place of K, which this warpgroup alone reads.
    store_keys(d_v, 1.0f, shared, &maps.d_v, b.part_v, 1);
  }

  __device__ void sum_dk() const {
    const int thread = threadIdx.x % 128, lane = thread % 32;
    const uint32_t v_at = shared + S::kAtV;
    float d_k[D / 2], d_p[32];
#pragma unroll
    for (int e = 0; e < D / 2; ++e) d_k[e] = 0.0f;
    Stages ring;
    if (steps > 0) {
      mbarrier_wait(bar(S::VFull), 0);
      mbarrier_wait(bar(S::DoFull), 0);
      multiply_rows<T, D>(d_p, v_at, 64, do_at(0), 64);
      wgmma_wait<0>();
      wgmma_pin(d_p);
    }
#pragma unroll 1
    for (int step = 0; step < steps; ++step) {
      const int stage = ring.stage;
      const uint32_t parity = ring.parity, stats = shared + S::kAtStats + stage * 512 + 256 + 8 * (lane & 3);
      ring.advance();
      mbarrier_wait(bar(S::StatsFull + stage), parity);
      mbarrier_wait(bar(S::DsFull + stage), parity);
      uint32_t d_s[4][4];
#pragma unroll
      for (int y = 0; y < 4; ++y) {
        const uint4 p = load_four(ds_at(stage) + y * 2048 + thread * 16);
        const uint32_t words[4] = {p.x, p.y, p.z, p.w};
#pragma unroll
        for (int e = 0; e < 4; ++e) d_s[y][e] = words[e];
      }
      mbarrier_arrive(bar(S::DsEmpty + stage));
      score_gradients<T, 64>(d_s, d_s, d_p, stats);
      mbarrier_arrive(bar(S::StatsEmpty + stage));
      mbarrier_wait(bar(S::QFull + stage), parity);
      add_product<T, D>(d_k, d_s, q_at(stage));
      if constexpr (!kAhead) {
        wgmma_wait<0>();
        wgmma_pin(d_k);
        if (lane == 0) mbarrier_arrive(bar(S::Empty + stage));
      }
      if (step + 1 < steps) mbarrier_wait(bar(S::DoFull + ring.stage), ring.parity);
      multiply_rows<T, D>(d_p, v_at, 64, do_at(ring.stage), 64);  // after the last step unused
      wgmma_wait<0>();
      wgmma_pin(d_p);
      if constexpr (kAhead) {
        wgmma_pin(d_k);
        if (lane == 0) mbarrier_arrive(bar(S::Empty + stage));
      }
    }
    // Through the place of V, which this warpgroup alone reads.
    store_keys(d_k, b.scale, v_at, &maps.d_k, b.part_k, 2);
  }
};

template <class T, class S, bool kCausal>
__global__ void __launch_bounds__(kWideBackwardThreads, 1)
    flash_v3_backward_keys(const BackwardArgs b, const __grid_constant__ BackwardMaps maps) {
  extern __shared__ unsigned char raw[];
  const uint32_t shared = (shared_address(raw) + 1023) & ~1023u;
  const ForwardArgs& a = b.forward;
  const int kv_tiles = (a.n_kv + 63) / 64;
  const int kv_head = blockIdx.x / kv_tiles, first_col = blockIdx.x % kv_tiles * 64;
  const int first_tile = kCausal ? min(a.q_tiles, max(0, first_col - a.causal_shift) / 64) : 0;
  const int heads = first_query_head(b, kv_head + 1) - first_query_head(b, kv_head);
  const int steps = (a.q_tiles - first_tile) * heads;
  const BackwardKeys<T, S, kCausal> flash{{b, a, maps, shared, kv_head, first_col, first_tile, steps}};
  if (threadIdx.x == 0) flash.init_barriers();
  __syncthreads();
  const int warpgroup = __shfl_sync(0xffffffffu, threadIdx.x / 128, 0);
  if (warpgroup == 0) {
    shrink_registers<kWideLoadRegisters>();
    flash.load();
  } else if (warpgroup == 1) {
    grow_registers<kWideComputeRegisters>();
    flash.sum_dv();
  } else {
    grow_registers<kWideComputeRegisters>();
    flash.sum_dk();
  }
}

}  // namespace tilewalk::fast
