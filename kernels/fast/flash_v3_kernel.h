// FlashAttention-3, forward, for Hopper's wgmma. Included by flash_v3.cu, whose head says what it is.
#pragma once

#include "kernels/fast/forward_args.h"
#include "kernels/fast/hopper.h"
#include "kernels/fast/softmax.h"
#include "kernels/fast/wgmma.h"

namespace tilewalk::fast {

// What a build can leave out.
constexpr unsigned kPingPong = 1;    // one warpgroup's products run while another's exponentials do
constexpr unsigned kOverlap = 2;     // within a warpgroup, S of the next tile is multiplied before P V of this one
constexpr unsigned kPersistent = 4;  // blocks stay and draw tiles from a counter
constexpr unsigned kLazy = 8;        // m is raised only when scores outgrow it by 2^8
constexpr unsigned kAll = kPingPong | kOverlap | kPersistent | kLazy;

template <int kConsumers, int kBc, unsigned kOptions = kAll>
struct Build {
  static constexpr int consumers = kConsumers;  // warpgroups that compute, 64 rows each
  static constexpr int bc = kBc;                // keys a tile
  static constexpr bool ping_pong = kOptions & kPingPong, overlap = kOptions & kOverlap;
  static constexpr bool persistent = kOptions & kPersistent, lazy = kOptions & kLazy;
};

struct TensorMaps {
  CUtensorMap q, k, v, o;
};

constexpr int kStages = 2;
constexpr int kSharedLimit = 232448;  // 227 KiB

// Shared memory, in bytes from a multiple of 1024: two stages of Q, of K and of V, and O on its way out. Operands lie
// in columns of 64 elements: 128-byte lines, swizzled.
template <int D, class B>
struct Layout {
  static constexpr int kColumns = D / 64;
  static constexpr int kRows = 64 * B::consumers;
  static constexpr int kQ = kRows * D * 2, kKv = B::bc * D * 2;
  static constexpr int kAtK = kStages * kQ, kAtV = kAtK + kStages * kKv, kAtO = kAtV + kStages * kKv;
  static constexpr int kAtBarriers = kAtO + kQ;
  static constexpr int kBytes = kAtBarriers + 256 + 1024;
  static_assert(kBytes <= kSharedLimit);
};

enum Barrier {  // 8 bytes each, one for each stage
  QFull,
  QEmpty = QFull + kStages,
  KFull = QEmpty + kStages,
  KEmpty = KFull + kStages,
  VFull = KEmpty + kStages,
  VEmpty = VFull + kStages,
  WorkFull = VEmpty + kStages,
  WorkEmpty = WorkFull + kStages,
  WorkSlots = WorkEmpty + kStages,
};

struct Ring {  // which stage comes next and the parity of its current round
  int stage = 0;
  uint32_t parity = 0;
  __device__ void advance() {
    if (++stage == kStages) {
      stage = 0;
      parity ^= 1;
    }
  }
};

template <class T, int D, bool kCausal, class B>
struct FlashV3 {
  using L = Layout<D, B>;
  static constexpr int Bc = B::bc;

  const ForwardArgs& a;
  const TensorMaps& maps;
  uint32_t shared;
  int total;

  __device__ uint32_t bar(int which) const { return shared + L::kAtBarriers + 8 * which; }
  __device__ uint32_t q_at(int stage, int group) const { return shared + stage * L::kQ + group * 64 * D * 2; }
  __device__ uint32_t k_at(int stage) const { return shared + L::kAtK + stage * L::kKv; }
  __device__ uint32_t v_at(int stage) const { return shared + L::kAtV + stage * L::kKv; }

  __device__ void init_barriers() const {
    for (int i = 0; i < kStages; ++i) {
      for (const int full : {QFull, KFull, VFull, WorkFull}) mbarrier_init(bar(full + i), 1);
      for (const int empty : {QEmpty, KEmpty, VEmpty, WorkEmpty}) mbarrier_init(bar(empty + i), 4 * B::consumers);
    }
    mbarrier_init_fence();
  }

  // The counter wraps to 0 with the draw that is the launch's last: each block draws once past the end.
  __device__ int draw(bool first) const {
    if constexpr (B::persistent) return (int)atomicInc(a.work_counter, total + gridDim.x - 1);
    return first ? blockIdx.x : total;
  }

  __device__ void load(uint32_t to, const CUtensorMap* map, uint32_t full, int rows, int first_row, int head) const {
#pragma unroll
    for (int column = 0; column < L::kColumns; ++column) {
      tma_load(to + column * rows * 128, map, full, column * 64, first_row, head);
    }
  }

  // One thread: draws tiles, hands them out, keeps the copy engine busy.
  __device__ void produce() const {
    Ring ring, work_ring;
    for (int index = draw(true), next;; index = next, work_ring.advance()) {
      mbarrier_wait(bar(WorkEmpty + work_ring.stage), work_ring.parity ^ 1);
      asm volatile("st.shared.s32 [%0], %1;" ::"r"(bar(WorkSlots) + 4 * work_ring.stage), "r"(index) : "memory");
      mbarrier_arrive(bar(WorkFull + work_ring.stage));
      if (index >= total) return;
      next = draw(false);

      const WorkTile work = work_tile<kCausal>(a, index);
      const int kv_head = work.head / a.heads_per_kv;
      const int first_row = work.q_tile * L::kRows;
      mbarrier_wait(bar(QEmpty + work_ring.stage), work_ring.parity ^ 1);
      mbarrier_expect(bar(QFull + work_ring.stage), L::kQ);
      for (int group = 0; group < B::consumers; ++group) {
        load(q_at(work_ring.stage, group), &maps.q, bar(QFull + work_ring.stage), 64, first_row + group * 64,
             work.head);
      }
      for (int tile = kv_tile_count<kCausal, Bc>(a, first_row, L::kRows) - 1; tile >= 0; --tile) {
        mbarrier_wait(bar(KEmpty + ring.stage), ring.parity ^ 1);
        mbarrier_expect(bar(KFull + ring.stage), L::kKv);
        load(k_at(ring.stage), &maps.k, bar(KFull + ring.stage), Bc, tile * Bc, kv_head);
        mbarrier_wait(bar(VEmpty + ring.stage), ring.parity ^ 1);
        mbarrier_expect(bar(VFull + ring.stage), L::kKv);
        load(v_at(ring.stage), &maps.v, bar(VFull + ring.stage), Bc, tile * Bc, kv_head);
        ring.advance();
      }
    }
  }

  // S = Q K^T, issued and committed.
  __device__ void multiply_qk(float (&s)[Bc / 2], uint32_t q_place, uint32_t k_place) const {
    const uint64_t q = wgmma_descriptor(q_place, 16, 1024);
    const uint64_t k = wgmma_descriptor(k_place, 16, 1024);
    wgmma_pin(s);
    wgmma_fence();
#pragma unroll
    for (int x = 0; x < D / 16; ++x) {
      const int column = x / 4, within = x % 4 * 32;
      Wgmma<Bc>::template ss<T>(s, q + ((column * 64 * 128 + within) >> 4), k + ((column * Bc * 128 + within) >> 4),
                                x > 0);
    }
    wgmma_commit();
  }

  // O += P V, issued and committed.
  __device__ void multiply_pv(float (&o)[D / 2], const uint32_t (&p)[Bc / 16][4], int stage) const {
    const uint64_t v = wgmma_descriptor(v_at(stage), Bc * 128, 1024);
    wgmma_pin(o);
    wgmma_fence();
#pragma unroll
    for (int y = 0; y < Bc / 16; ++y) Wgmma<D>::template rs<T>(o, p[y], v + ((y * 16 * 128) >> 4));
    wgmma_commit();
  }

  __device__ void release(int which) const {
    if (threadIdx.x % 32 == 0) mbarrier_arrive(bar(which));
  }

  // Masks S of a tile where rows end in it and turns it into P. Returns whether O has to shrink.
  __device__ bool soften(float (&s)[Bc / 2], float (&m)[2], float (&l)[2], float (&alpha)[2], int tile, int group_row,
                         int row) const {
    const int first_col = tile * Bc;
    const bool crosses = kCausal && first_col + Bc - 1 > group_row + a.causal_shift;
    // Two copies of the step: joined behind the mask the compiler schedules the common case worse (6 % at d = 128).
    if (first_col + Bc <= a.n_kv && !crosses) return softmax_step<Bc, B::lazy>(s, m, l, alpha, a.c);
    const int last = a.n_kv - 1 - first_col, seen = row + a.causal_shift - first_col;
    mask_scores<Bc>(s, kCausal ? min(last, seen) : last, kCausal ? min(last, seen + 8) : last);
    return softmax_step<Bc, B::lazy>(s, m, l, alpha, a.c);
  }

  static __device__ void pack(uint32_t (&p)[Bc / 16][4], const float (&s)[Bc / 2]) {
#pragma unroll
    for (int y = 0; y < Bc / 16; ++y) {
#pragma unroll
      for (int e = 0; e < 4; ++e) p[y][e] = pack2<T>(s[8 * y + 2 * e], s[8 * y + 2 * e + 1]);
    }
  }

  // Warpgroups take turns at issuing products, in a ring.
  __device__ void await_turn(int group) const {
    if constexpr (B::ping_pong) named_barrier_sync(8 + group, 256);
  }
  __device__ void pass_turn(int group) const {
    if constexpr (B::ping_pong) named_barrier_arrive(8 + (group + 1) % B::consumers, 256);
  }

  // A tile that other warpgroups of the block use and this one does not see: it takes its turns and frees the stages. A
  // stage must have been filled before it is freed, else the arrival would count for the round before.
  __device__ void skip(int tile, int group, Ring& k_ring, Ring& v_ring) const {
    if (!B::overlap || tile > 0) {  // as often as a warpgroup that computes
      await_turn(group);
      pass_turn(group);
    }
    mbarrier_wait(bar(KFull + k_ring.stage), k_ring.parity);
    release(KEmpty + k_ring.stage);
    k_ring.advance();
    mbarrier_wait(bar(VFull + v_ring.stage), v_ring.parity);
    release(VEmpty + v_ring.stage);
    v_ring.advance();
  }

  __device__ void consume(int group) const {
    const int thread = threadIdx.x % 128, warp = thread / 32, lane = threadIdx.x % 32;
    Ring k_ring, v_ring, work_ring;
    if (group == B::consumers - 1) pass_turn(group);

    for (;; work_ring.advance()) {
      mbarrier_wait(bar(WorkFull + work_ring.stage), work_ring.parity);
      int index = 0;
      if (lane == 0) {
        asm volatile("ld.shared.s32 %0, [%1];" : "=r"(index) : "r"(bar(WorkSlots) + 4 * work_ring.stage) : "memory");
        mbarrier_arrive(bar(WorkEmpty + work_ring.stage));
      }
      index = __shfl_sync(0xffffffffu, index, 0);
      if (index >= total) break;

      const WorkTile work = work_tile<kCausal>(a, index);
      const int first_row = work.q_tile * L::kRows, group_row = first_row + group * 64;
      const int row = group_row + warp * 16 + lane / 4;
      const int block_tiles = kv_tile_count<kCausal, Bc>(a, first_row, L::kRows);
      const int tiles = kv_tile_count<kCausal, Bc>(a, group_row, 64);
      const uint32_t q_place = q_at(work_ring.stage, group);
      for (int tile = block_tiles - 1; tile >= tiles; --tile) skip(tile, group, k_ring, v_ring);

      float o[D / 2], s[Bc / 2], m[2], l[2], alpha[2];
      uint32_t p[Bc / 16][4];
#pragma unroll
      for (int e = 0; e < D / 2; ++e) o[e] = 0.0f;
      m[0] = m[1] = minus_infinity();
      l[0] = l[1] = 0.0f;

      mbarrier_wait(bar(QFull + work_ring.stage), work_ring.parity);
      if constexpr (B::overlap) {
        if (tiles > 0) {
          mbarrier_wait(bar(KFull + k_ring.stage), k_ring.parity);
          multiply_qk(s, q_place, k_at(k_ring.stage));
          wgmma_wait<0>();
          wgmma_pin(s);
          release(KEmpty + k_ring.stage);
          k_ring.advance();
          soften(s, m, l, alpha, tiles - 1, group_row, row);  // O is still 0
          pack(p, s);
        }
        for (int tile = tiles - 2; tile >= 0; --tile) {
          await_turn(group);
          mbarrier_wait(bar(KFull + k_ring.stage), k_ring.parity);
          multiply_qk(s, q_place, k_at(k_ring.stage));
          mbarrier_wait(bar(VFull + v_ring.stage), v_ring.parity);
          multiply_pv(o, p, v_ring.stage);
          pass_turn(group);
          wgmma_wait<1>();
          wgmma_pin(s);
          release(KEmpty + k_ring.stage);
          k_ring.advance();
          const bool shrink = soften(s, m, l, alpha, tile, group_row, row);
          wgmma_wait<0>();
          wgmma_pin(o);
          release(VEmpty + v_ring.stage);
          v_ring.advance();
          if (shrink) shrink_rows(o, alpha);
          pack(p, s);
        }
        release(QEmpty + work_ring.stage);
        if (tiles > 0) {
          mbarrier_wait(bar(VFull + v_ring.stage), v_ring.parity);
          multiply_pv(o, p, v_ring.stage);
          wgmma_wait<0>();
          wgmma_pin(o);
          release(VEmpty + v_ring.stage);
          v_ring.advance();
        }
      } else {
        for (int tile = tiles - 1; tile >= 0; --tile) {
          await_turn(group);
          mbarrier_wait(bar(KFull + k_ring.stage), k_ring.parity);
          multiply_qk(s, q_place, k_at(k_ring.stage));
          wgmma_wait<0>();
          wgmma_pin(s);
          pass_turn(group);
          release(KEmpty + k_ring.stage);
          k_ring.advance();
          if (soften(s, m, l, alpha, tile, group_row, row)) shrink_rows(o, alpha);
          pack(p, s);
          mbarrier_wait(bar(VFull + v_ring.stage), v_ring.parity);
          multiply_pv(o, p, v_ring.stage);
          wgmma_wait<0>();
          wgmma_pin(o);
          release(VEmpty + v_ring.stage);
          v_ring.advance();
        }
        release(QEmpty + work_ring.stage);
      }
      store(o, m, l, group, group_row, row, work.head);
    }
    if (thread == 0) tma_store_wait_read();
  }

  // Normalise and store: registers to shared memory by stmatrix, from there by the copy engine.
  __device__ void store(float (&o)[D / 2], const float (&m)[2], const float (&l)[2], int group, int group_row, int row,
                        int head) const {
    const int thread = threadIdx.x % 128, warp = thread / 32, lane = threadIdx.x % 32;
    float inverse[2];
#pragma unroll
    for (int h = 0; h < 2; ++h) {
      const float sum = quad_sum(l[h]);
      inverse[h] = sum == 0.0f ? 0.0f : 1.0f / sum;
      if (a.lse != nullptr && lane % 4 == 0 && row + 8 * h < a.n_q) {
        a.lse[(long long)head * a.n_q + row + 8 * h] = row_lse(m[h], sum, a.c);
      }
    }
    shrink_rows(o, inverse);
    if (thread == 0) tma_store_wait_read();
    named_barrier_sync(1 + group, 128);  // the last O has left its place

    const uint32_t to = shared + L::kAtO + group * 64 * D * 2;
    const uint32_t line = to + (warp * 16 + (lane & 15)) * 128;
#pragma unroll
    for (int n = 0; n < D / 16; ++n) {
      const int column = n / 4, chunk = n % 4 * 2 + (lane >> 4);
      stmatrix_x4(line + column * 64 * 128 + ((chunk ^ (lane & 7)) << 4), pack2<T>(o[8 * n], o[8 * n + 1]),
                  pack2<T>(o[8 * n + 2], o[8 * n + 3]), pack2<T>(o[8 * n + 4], o[8 * n + 5]),
                  pack2<T>(o[8 * n + 6], o[8 * n + 7]));
    }
    fence_async_proxy();
    named_barrier_sync(1 + group, 128);
    if (thread == 0) {
#pragma unroll
      for (int column = 0; column < L::kColumns; ++column) {
        tma_store(&maps.o, to + column * 64 * 128, column * 64, group_row, head);
      }
      tma_store_commit();
    }
  }
};

template <class T, int D, bool kCausal, class B>
__global__ void __launch_bounds__((B::consumers + 1) * 128, 1)
    flash_v3_forward(const ForwardArgs a, const __grid_constant__ TensorMaps maps) {
  extern __shared__ unsigned char raw[];
  const uint32_t shared = (shared_address(raw) + 1023) & ~1023u;
  const FlashV3<T, D, kCausal, B> flash{a, maps, shared, a.q_tiles * a.all_heads};
  if (threadIdx.x == 0) flash.init_barriers();
  __syncthreads();

  const int warpgroup = __shfl_sync(0xffffffffu, threadIdx.x / 128, 0);
  if (warpgroup == 0) {
    shrink_registers<B::consumers == 2 ? 24 : 32>();
    if (threadIdx.x == 0) flash.produce();
  } else {
    grow_registers<B::consumers == 2 ? 240 : 160>();
    flash.consume(warpgroup - 1);
  }
}

}  // namespace tilewalk::fast
