// FlashAttention-3, backward, for Hopper's wgmma. Included by flash_v3_backward.cu, whose head describes it.
#pragma once

#include "kernels/fast/backward_order.h"
#include "kernels/fast/backward_shares.h"
#include "kernels/fast/flash_v3_backward_scores.h"
#include "kernels/fast/wgmma.h"

namespace tilewalk::fast {

constexpr int kBackwardThreads = 512;
// The loading warpgroup, that of dQ, and two that compute: 512 for each of their 128 lanes.
constexpr int kLoadRegisters = 32, kSumRegisters = 64, kComputeRegisters = 208;

template <class T, class S, bool kCausal>
struct FlashV3Backward : BackwardLoading<S, kCausal> {
  using Base = BackwardLoading<S, kCausal>;
  using Base::a, Base::b, Base::maps, Base::shared, Base::kv_head, Base::first_col, Base::first_tile, Base::steps,
      Base::D, Base::kRows, Base::kKeys, Base::bar, Base::q_at, Base::do_at, Base::ds_at, Base::first_place,
      Base::advance, Base::tile_index, Base::hidden;
  using typename Base::Place;
  // S of the next step is multiplied with dK, and dV while dS is computed. Elsewhere the compiler finds no registers
  // for it, or it is slower.
  static constexpr bool kAhead = D == 128 && !kCausal && !S::kInShares;
  // The last step has code of its own: no S of a next step, and dV is stored beside dK's product.
  static constexpr bool kLastApart = kAhead && S::kShort;

  // One warpgroup: dQ += dS K, in blocks of 64 x 64 that the copy engine adds to HBM.
  __device__ void sum_dq() const {
    const int thread = threadIdx.x % 128, warp = thread / 32, lane = thread % 32;
    Ring ring;
    float* sums = b.dq_sum + tile_index(first_place()) * kRows * D + warp * (S::kUnit / 16);
    int tile = first_tile;
    if (steps > 0) mbarrier_wait(bar(S::KFull), 0);
    for (int step = 0; step < steps; ++step, ring.advance()) {
      mbarrier_wait(bar(S::DsFull + ring.stage), ring.parity);
#pragma unroll
      for (int unit = 0; unit < S::kUnits; ++unit) {
        float d_q[32];
        const uint64_t d_s = wgmma_descriptor(ds_at(ring.stage) + unit / S::kColumns * kKeys * 128, 16, 1024);
        const uint64_t k = wgmma_descriptor(shared + unit % S::kColumns * kKeys * 128, 16, 1024);
        wgmma_pin(d_q);
        wgmma_fence();
#pragma unroll
        for (int y = 0; y < 4; ++y)
          Wgmma<64>::template tt<T>(d_q, d_s + ((y * 16 * 128) >> 4), k + ((y * 16 * 128) >> 4), y > 0);
        if (!hidden(1, tile * kRows)) {
          wgmma_fence();
#pragma unroll
          for (int y = 4; y < kKeys / 16; ++y)
            Wgmma<64>::template tt<T>(d_q, d_s + ((y * 16 * 128) >> 4), k + ((y * 16 * 128) >> 4), 1);
        }
        wgmma_commit();
        wgmma_wait<0>();
        wgmma_pin(d_q);
        if (unit == S::kUnits - 1 && lane == 0) mbarrier_arrive(bar(S::DsEmpty + ring.stage));
        const uint32_t from = shared + S::kAtSums + unit * S::kUnit + warp * S::kUnit / 4;
        if (lane == 0) tma_store_wait_read<S::kUnits - 1>();
        __syncwarp();
#pragma unroll
        for (int n = 0; n < 8; ++n) {
          const float* const f =
              d_q + n / 2 * 8 + n % 2 * 2;  // 16 columns of a row for a quad of lanes, as in round_sums
          store_shared(from + n * 512 + lane * 16, float4{f[0], f[1], f[4], f[5]});
        }
        fence_async_proxy();
        __syncwarp();
        if (lane == 0) {
          if (!S::kShort || tile * kRows + unit / S::kColumns * 64 + warp * 16 < a.n_q)
            bulk_add(sums + unit * (S::kUnit / 4), from, S::kUnit / 4);
          tma_store_commit();
        }
      }
      sums += kRows * D;
      if (++tile == a.q_tiles) tile = first_tile, sums += (long long)first_tile * kRows * D;
    }
    if (lane == 0) tma_store_wait_read();
  }

  // Two warpgroups or, in flash_v3_backward_all_keys.h, three: 64 keys each.
  // acc = K Q^T or V dO^T, issued and committed. keys: the warpgroup's rows of K or V.
  __device__ void multiply_keys(float (&acc)[kRows / 2], uint32_t keys, uint32_t rows) const {
    const uint64_t left = wgmma_descriptor(keys, 16, 1024), right = wgmma_descriptor(rows, 16, 1024);
    wgmma_fence();
    wgmma_first<T, kRows>(acc, left, right);
#pragma unroll
    for (int x = 1; x < D / 16; ++x) {
      const int column = x / 4, within = x % 4 * 32;
      Wgmma<kRows>::template ss<T>(acc, left + ((column * kKeys * 128 + within) >> 4),
                                   right + ((column * kRows * 128 + within) >> 4), 1);
    }
    wgmma_commit();
  }

  // dV += P^T dO or dK += dS^T Q, issued and committed.
  __device__ void add_rows(float (&acc)[D / 2], const uint32_t (&p)[kRows / 16][4], uint32_t rows) const {
    const uint64_t right = wgmma_descriptor(rows, kRows * 128, 1024);
    wgmma_pin(acc);
    wgmma_fence();
#pragma unroll
    for (int y = 0; y < kRows / 16; ++y) Wgmma<D>::template rs<T>(acc, p[y], right + ((y * 16 * 128) >> 4));
    wgmma_commit();
  }

  __device__ void compute(int group) const {
    const int thread = threadIdx.x % 128, warp = thread / 32, lane = thread % 32;
    const int group_col = first_col + group * 64, key = group_col + warp * 16 + lane / 4;
    const uint32_t k_at = shared + group * 64 * 128, v_at = k_at + S::kAtV;
    float d_v[D / 2], d_k[D / 2];
#pragma unroll
    for (int e = 0; e < D / 2; ++e) d_v[e] = d_k[e] = 0.0f;
    Ring ring;
    Place place = first_place();
    float s[kRows / 2];
    if (steps > 0) {
      mbarrier_wait(bar(S::KFull), 0);
      if constexpr (kAhead) {
        mbarrier_wait(bar(S::QFull), 0);
        multiply_keys(s, k_at, q_at(0));
        wgmma_wait<0>();
        wgmma_pin(s);
      }
      mbarrier_wait(bar(S::VFull), 0);
    }
    const auto walk_step = [&]<bool kLast>(int step) {
      float d_p[kRows / 2];
      const int stage = ring.stage, first_row = place.tile * kRows;
      const uint32_t parity = ring.parity;
      const uint32_t stats = shared + S::kAtStats + stage * 8 * kRows + 8 * (lane & 3);
      uint32_t p[kRows / 16][4], d_s[kRows / 16][4];  // P^T and dS^T, two queries a word
      ring.advance();
      if constexpr (!kAhead) mbarrier_wait(bar(S::QFull + stage), parity);
      if (hidden(group, first_row)) {  // arrivals only, once the barriers' previous rounds are complete
        mbarrier_wait(bar(S::DoFull + stage), parity);
        mbarrier_wait(bar(S::StatsFull + stage), parity);
        mbarrier_arrive(bar(S::StatsEmpty + stage));
        mbarrier_wait(bar(S::DsEmpty + stage), parity ^ 1);
        if (lane == 0) mbarrier_arrive(bar(S::DsFull + stage)), mbarrier_arrive(bar(S::Empty + stage));
        return;
      }
      if constexpr (!kAhead) multiply_keys(s, k_at, q_at(stage));
      mbarrier_wait(bar(S::StatsFull + stage), parity);
      if constexpr (!kAhead) {
        wgmma_wait<0>();
        wgmma_pin(s);
      }
      if ((S::kAllKeys ? group_col + 64 : first_col + kKeys) > a.n_kv ||
          (kCausal && group_col + 63 > first_row + a.causal_shift))
        hide_keys<kCausal, kRows>(a, s, first_row, key);
      weights_of<T, kRows>(p, s, a.c, stats);
      mbarrier_wait(bar(S::DoFull + stage), parity);
      multiply_keys(d_p, v_at, do_at(stage));
      wgmma_wait<0>();
      wgmma_pin(d_p);
      if constexpr (kAhead) add_rows(d_v, p, do_at(stage));
      score_gradients<T, kRows>(d_s, p, d_p, stats + 4 * kRows);
      mbarrier_arrive(bar(S::StatsEmpty + stage));
      if constexpr (!kAhead) add_rows(d_v, p, do_at(stage));
      mbarrier_wait(bar(S::DsEmpty + stage), parity ^ 1);
      const uint32_t line = ds_at(stage) + (group * 64 + warp * 16 + (lane & 15)) * 128;
#pragma unroll
      for (int y = 0; y < kRows / 16; ++y) {
        const int chunk = y % 4 * 2 + (lane >> 4);
        stmatrix_x4(line + y / 4 * kKeys * 128 + ((chunk ^ (lane & 7)) << 4), d_s[y][0], d_s[y][1], d_s[y][2],
                    d_s[y][3]);
      }
      fence_async_proxy();
      __syncwarp();
      if (lane == 0) mbarrier_arrive(bar(S::DsFull + stage));
      if constexpr (kAhead) {
        wgmma_wait<0>();
        wgmma_pin(d_v);
      }
      add_rows(d_k, d_s, q_at(stage));
      if constexpr (kAhead && !kLast) {  // else after the last step, of what the stage has, and unused
        if (kLastApart || step + 1 < steps) mbarrier_wait(bar(S::QFull + ring.stage), ring.parity);
        multiply_keys(s, k_at, q_at(ring.stage));
      }
      if constexpr (kLast) store(d_v, group, v_at, &maps.d_v, 1.0f);
      wgmma_wait<0>();
      if constexpr (kAhead && !kLast) wgmma_pin(s);
      if constexpr (!kLast) wgmma_pin(d_v);
      wgmma_pin(d_k);
      if (lane == 0) mbarrier_arrive(bar(S::Empty + stage));
    };
#pragma unroll 1
    for (int step = 0; step < steps - (kLastApart ? 1 : 0); ++step, advance(place))
      walk_step.template operator()<false>(step);
    if constexpr (kLastApart) {
      if (steps > 0) walk_step.template operator()<true>(steps - 1);
    }
    if (S::kInShares && b.shares > 1) {
      const long long at = (long long)kv_head * a.n_kv * a.d;
      store_sums<D>(d_v, 1.0f, b.part_v + at, group_col + warp * 16, a.n_kv, a.d);
      store_sums<D>(d_k, b.scale, b.part_k + at, group_col + warp * 16, a.n_kv, a.d);
      return;
    }
    if (!kLastApart || steps == 0) store(d_v, group, v_at, &maps.d_v, 1.0f);
    // dK replaces K, which the last dQ reads.
    if (steps > 0) mbarrier_wait(bar(S::DsEmpty + (ring.stage ^ 1)), ring.parity ^ (ring.stage ^ 1));
    store(d_k, group, k_at, &maps.d_k, b.scale);
    if (thread == 0) tma_store_wait_read();
  }

  // To the place of the warpgroup's keys in shared memory, and from there to HBM.
  __device__ void store(const float (&acc)[D / 2], int group, uint32_t to, const CUtensorMap* map, float factor) const {
    const int thread = threadIdx.x % 128, warp = thread / 32, lane = thread % 32;
    const uint32_t line = to + (warp * 16 + (lane & 15)) * 128;
#pragma unroll
    for (int n = 0; n < D / 16; ++n) {
      const int chunk = n % 4 * 2 + (lane >> 4);
      const float* const f = acc + 8 * n;
      stmatrix_x4(line + n / 4 * kKeys * 128 + ((chunk ^ (lane & 7)) << 4), pack2<T>(f[0] * factor, f[1] * factor),
                  pack2<T>(f[2] * factor, f[3] * factor), pack2<T>(f[4] * factor, f[5] * factor),
                  pack2<T>(f[6] * factor, f[7] * factor));
    }
    fence_async_proxy();
    named_barrier_sync(1 + group, 128);
    if (thread == 0) {
#pragma unroll
      for (int column = 0; column < S::kColumns; ++column)
        tma_store(map, to + column * kKeys * 128, column * 64, first_col + group * 64, kv_head);
      tma_store_commit();
    }
  }
};

template <class T, class S, bool kCausal>
__global__ void __launch_bounds__(kBackwardThreads, 1)
    flash_v3_backward(const BackwardArgs b, const __grid_constant__ BackwardMaps maps) {
  extern __shared__ unsigned char raw[];
  const uint32_t shared = (shared_address(raw) + 1023) & ~1023u;
  const ForwardArgs& a = b.forward;
  const int kv_tiles = (a.n_kv + S::kKeys - 1) / S::kKeys;
  const KeyTile place = key_tile<kCausal>(a, kv_tiles, blockIdx.x);
  const int kv_head = S::kShort ? gridDim.x / kv_tiles - 1 - place.kv_head : place.kv_head;
  const int first_col = place.tile * S::kKeys;
  const int first_tile = kCausal ? min(a.q_tiles, max(0, first_col - a.causal_shift) / S::kRows) : 0;
  const int heads = S::kInShares ? first_query_head(b, kv_head + 1) - first_query_head(b, kv_head) : a.heads_per_kv;
  const int steps = (a.q_tiles - first_tile) * heads;
  const FlashV3Backward<T, S, kCausal> flash{{b, a, maps, shared, kv_head, first_col, first_tile, steps}};
  if (threadIdx.x == 0) flash.init_barriers();
  let_next_begin();
  __syncthreads();
  const int warpgroup = __shfl_sync(0xffffffffu, threadIdx.x / 128, 0);
  if (warpgroup == 0) {
    shrink_registers<kLoadRegisters>();
    flash.load();
  } else if (warpgroup == 1) {
    shrink_registers<kSumRegisters>();
    flash.sum_dq();
  } else {
    grow_registers<kComputeRegisters>();
    flash.compute(warpgroup - 2);
  }
}

}  // namespace tilewalk::fast
