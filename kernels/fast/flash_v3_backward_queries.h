// dQ of FlashAttention-3's backward pass above d = 128, a kernel of its own: two warpgroups own 64 rows each and walk
// the keys, as the forward pass does. S, dP and P are computed a second time, and no sum leaves the registers.
// flash_v3_backward.cu describes it.
#pragma once

#include "kernels/fast/flash_v3_backward_wide.h"

namespace tilewalk::fast {

struct QueriesMaps {
  CUtensorMap q, k, v, d_o, d_q;  // boxes of 64 rows by 64 columns
};

// Shared memory, in bytes from a multiple of 1024: Q, dO, stages of K and of V, barriers.
template <int kWidth>
struct QueriesShape {
  static constexpr int D = kWidth, kRows = 128, kKeys = 64, kColumns = D / 64;
  static constexpr int kKStages = 2, kVStages = D > 192 ? 1 : 2;
  static constexpr int kQ = kRows * D * 2, kKv = kKeys * D * 2;
  static constexpr int kAtDo = kQ, kAtK = 2 * kQ, kAtV = kAtK + kKStages * kKv, kAtBarriers = kAtV + kVStages * kKv;
  static constexpr int kBytes = kAtBarriers + 256 + 1024;
  static constexpr int QFull = 0, KFull = 1, VFull = KFull + kKStages, KEmpty = VFull + kVStages,
                       VEmpty = KEmpty + kKStages;
};

template <class T, class S, bool kCausal>
struct BackwardQueries {
  static constexpr int D = S::D;
  const BackwardArgs& b;
  const ForwardArgs& a;
  const QueriesMaps& maps;
  uint32_t shared;
  int head, first_row, tiles;  // KV tiles 0 .. tiles - 1 are visible to some row

  __device__ uint32_t bar(int which) const { return shared + S::kAtBarriers + 8 * which; }
  __device__ uint32_t k_at(int stage) const { return shared + S::kAtK + stage * S::kKv; }
  __device__ uint32_t v_at(int stage) const { return shared + S::kAtV + stage * S::kKv; }

  __device__ void init_barriers() const {
    mbarrier_init(bar(S::QFull), 1);
    for (int i = 0; i < S::kKStages; ++i) mbarrier_init(bar(S::KFull + i), 1), mbarrier_init(bar(S::KEmpty + i), 8);
    for (int i = 0; i < S::kVStages; ++i) mbarrier_init(bar(S::VFull + i), 1), mbarrier_init(bar(S::VEmpty + i), 8);
    mbarrier_init_fence();
  }

  __device__ void load(uint32_t to, const CUtensorMap* map, int full, int rows, int first, int at) const {
#pragma unroll
    for (int column = 0; column < S::kColumns; ++column) {
      for (int row = 0; row < rows; row += 64)
        tma_load(to + (column * rows + row) * 128, map, bar(full), column * 64, first + row, at);
    }
  }

  __device__ void produce() const {
    if (tiles == 0) return;
    const int kv_head = head / a.heads_per_kv;
    mbarrier_expect(bar(S::QFull), 2 * S::kQ);
    load(shared, &maps.q, S::QFull, S::kRows, first_row, head);
    StageRing<S::kKStages> k;
    StageRing<S::kVStages> v;
    for (int tile = 0; tile < tiles; ++tile, k.advance(), v.advance()) {
      mbarrier_wait(bar(S::KEmpty + k.stage), k.parity ^ 1);
      mbarrier_expect(bar(S::KFull + k.stage), S::kKv);
      load(k_at(k.stage), &maps.k, S::KFull + k.stage, S::kKeys, tile * S::kKeys, kv_head);
      if (tile == 0) load(shared + S::kAtDo, &maps.d_o, S::QFull, S::kRows, first_row, head);
      mbarrier_wait(bar(S::VEmpty + v.stage), v.parity ^ 1);
      mbarrier_expect(bar(S::VFull + v.stage), S::kKv);
      load(v_at(v.stage), &maps.v, S::VFull + v.stage, S::kKeys, tile * S::kKeys, kv_head);
    }
  }

  __device__ void sum_dq(int group) const {
    const int thread = threadIdx.x % 128, warp = thread / 32, lane = thread % 32;
    const int group_row = first_row + group * 64, row = group_row + warp * 16 + lane / 4;
    const uint32_t q_at = shared + group * 64 * 128, do_at = q_at + S::kAtDo;
    float lse[2], dot[2];
    const float* const stats = b.row_dot + ((long long)head * a.q_tiles + group_row / 64) * 128;
#pragma unroll
    for (int h = 0; h < 2; ++h) {
      const int within = warp * 16 + lane / 4 + 8 * h;
      lse[h] = row + 8 * h < a.n_q ? stats[within] : plus_infinity();
      dot[h] = row + 8 * h < a.n_q ? stats[64 + within] : 0.0f;
    }
    int seen = kv_tile_count<kCausal, S::kKeys>(a, group_row, 64);
    float d_q[D / 2], s[32];
#pragma unroll
    for (int e = 0; e < D / 2; ++e) d_q[e] = 0.0f;
    StageRing<S::kKStages> k;
    StageRing<S::kVStages> v;
    if (seen > 0) {
      mbarrier_wait(bar(S::QFull), 0);
      mbarrier_wait(bar(S::KFull), 0);
      multiply_rows<T, D>(s, q_at, S::kRows, k_at(0), S::kKeys);
      wgmma_wait<0>();
      wgmma_pin(s);
    }
#pragma unroll 1
    for (int tile = 0; tile < seen; ++tile, v.advance()) {
      float d_p[32];
      const int k_stage = k.stage;
      k.advance();
      mbarrier_wait(bar(S::VFull + v.stage), v.parity);
      multiply_rows<T, D>(d_p, do_at, S::kRows, v_at(v.stage), S::kKeys);
      const int first_col = tile * S::kKeys;
      if (first_col + S::kKeys > a.n_kv || (kCausal && first_col + S::kKeys - 1 > group_row + a.causal_shift)) {
        const int last = a.n_kv - 1 - first_col, sees = row + a.causal_shift - first_col;
        mask_scores<S::kKeys>(s, kCausal ? min(last, sees) : last, kCausal ? min(last, sees + 8) : last);
      }
#pragma unroll
      for (int e = 0; e < 32; ++e) s[e] = exp2_approx(fmaf(s[e], a.c, -lse[e / 2 % 2]));
      wgmma_wait<0>();
      wgmma_pin(d_p);
      if (lane == 0) mbarrier_arrive(bar(S::VEmpty + v.stage));
      uint32_t d_s[4][4];
#pragma unroll
      for (int e = 0; e < 32; e += 2)
        d_s[e / 8][e / 2 % 4] = pack2<T>(s[e] * (d_p[e] - dot[e / 2 % 2]), s[e + 1] * (d_p[e + 1] - dot[e / 2 % 2]));
      add_product<T, D>(d_q, d_s, k_at(k_stage));
      if (tile + 1 < seen) mbarrier_wait(bar(S::KFull + k.stage), k.parity);
      multiply_rows<T, D>(s, q_at, S::kRows, k_at(k.stage), S::kKeys);  // after the last tile unused
      wgmma_wait<0>();
      wgmma_pin(s);
      wgmma_pin(d_q);
      if (lane == 0) mbarrier_arrive(bar(S::KEmpty + k_stage));
    }
    // Tiles that only the other warpgroup sees.
    for (int tile = seen; tile < tiles; ++tile, k.advance(), v.advance()) {
      mbarrier_wait(bar(S::KFull + k.stage), k.parity);
      if (lane == 0) mbarrier_arrive(bar(S::KEmpty + k.stage));
      mbarrier_wait(bar(S::VFull + v.stage), v.parity);
      if (lane == 0) mbarrier_arrive(bar(S::VEmpty + v.stage));
    }
    if (tiles > 0) mbarrier_wait(bar(S::QFull), 0);  // dQ goes through the place of Q
    if (group_row < a.n_q) store_rows<T, D>(d_q, b.scale, q_at, S::kRows, &maps.d_q, group_row, head, 1 + group);
  }
};

template <class T, class S, bool kCausal>
__global__ void __launch_bounds__(kWideBackwardThreads, 1)
    flash_v3_backward_queries(const BackwardArgs b, const __grid_constant__ QueriesMaps maps) {
  extern __shared__ unsigned char raw[];
  const uint32_t shared = (shared_address(raw) + 1023) & ~1023u;
  const ForwardArgs& a = b.forward;
  ForwardArgs walk = a;  // in tiles of 128 rows
  walk.q_tiles = (a.n_q + S::kRows - 1) / S::kRows;
  const WorkTile work = work_tile<kCausal>(walk, blockIdx.x);
  const int first_row = work.q_tile * S::kRows;
  const BackwardQueries<T, S, kCausal> flash{
      b, a, maps, shared, work.head, first_row, kv_tile_count<kCausal, S::kKeys>(a, first_row, S::kRows)};
  if (threadIdx.x == 0) flash.init_barriers();
  __syncthreads();
  const int warpgroup = __shfl_sync(0xffffffffu, threadIdx.x / 128, 0);
  if (warpgroup == 0) {
    shrink_registers<kWideLoadRegisters>();
    if (threadIdx.x == 0) flash.produce();
  } else {
    grow_registers<kWideComputeRegisters>();
    flash.sum_dq(warpgroup - 1);
  }
}

}  // namespace tilewalk::fast
