// FlashAttention-3, forward, for Hopper's wgmma. Included by flash_v3.cu, whose head describes it.
#pragma once

#include "kernels/fast/flash_v3_loading.h"
#include "kernels/fast/softmax.h"
#include "kernels/fast/store_part.h"
#include "kernels/fast/wgmma.h"

namespace tilewalk::fast {

template <class T, int D, bool kCausal, class B, class R>
struct FlashV3 : Loading<D, kCausal, B, R> {
  using Base = Loading<D, kCausal, B, R>;
  using Base::a, Base::maps, Base::shared, Base::total, Base::record, Base::Bc, Base::bar, Base::q_at, Base::k_at,
      Base::v_at, Base::loads, Base::begin_loads, Base::next_k, Base::next_v, Base::refill_k, Base::refill_v,
      Base::item_of, Base::kv_tile;
  using typename Base::Recorder;
  using L = Layout<D, B>;

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

  // Masks S of a tile where rows end in it and computes P from it. Returns whether O must be rescaled.
  __device__ bool soften(float (&s)[Bc / 2], float (&m)[2], float (&l)[2], float (&alpha)[2], int tile, int group_row,
                         int row) const {
    // A warp without rows, as most are in decoding: its S is 0, and nothing of it is stored.
    if constexpr (B::read_once) {
      if ((row & ~15) >= a.n_q) return false;
    }
    const int first_col = tile * Bc;
    const bool crosses = kCausal && first_col + Bc - 1 > group_row + a.causal_shift;
    // Two copies of the step: with a single copy behind the mask, the compiler schedules the common case worse (6 % at
    // d = 128).
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

  // A tile that other warpgroups of the block use and this one does not see: takes its turns and frees the stages. A
  // stage must be filled before it is freed, else the arrival would count for the previous round.
  __device__ void skip(int tile, int group, Ring& k_ring, Ring& v_ring, unsigned char* bytes,
                       Recorder& recorder) const {
    if (!B::overlap || tile > 0) {  // as often as a warpgroup that computes
      await_turn(group);
      pass_turn(group);
    }
    mbarrier_wait(bar(KFull + k_ring.stage), k_ring.parity);
    release(KEmpty + k_ring.stage);
    k_ring.advance();
    refill_k(bytes, tile, recorder);
    mbarrier_wait(bar(VFull + v_ring.stage), v_ring.parity);
    release(VEmpty + v_ring.stage);
    v_ring.advance();
    refill_v(bytes, tile, recorder);
    recorder.mark(Stamp::Skip, tile);
  }

  __device__ void consume(int group, unsigned char* bytes) const {
    const int thread = threadIdx.x % 128, warp = thread / 32, lane = threadIdx.x % 32;
    Recorder recorder(record, kConsumerLane + group);
    Ring k_ring, v_ring, work_ring;
    if (group == B::consumers - 1) pass_turn(group);
    if constexpr (!B::specialised) {
      if (threadIdx.x == 0) begin_loads(loads(bytes));
      __syncwarp();
    }

    for (;; work_ring.advance()) {
      mbarrier_wait(bar(WorkFull + work_ring.stage), work_ring.parity);
      int index = 0;
      if (lane == 0) {
        asm volatile("ld.shared.s32 %0, [%1];" : "=r"(index) : "r"(bar(WorkSlots) + 4 * work_ring.stage) : "memory");
        mbarrier_arrive(bar(WorkEmpty + work_ring.stage));
      }
      index = __shfl_sync(0xffffffffu, index, 0);
      if (index >= total) break;

      const WorkItem item = item_of(a, index);
      const WorkTile work = work_tile<kCausal>(a, item.tile);
      const int first_row = work.q_tile * L::kRows, group_row = first_row + group * 64;
      const int row = group_row + warp * 16 + lane / 4;
      int block_tiles = kv_tile_count<kCausal, Bc>(a, first_row, L::kRows);
      int tiles = kv_tile_count<kCausal, Bc>(a, group_row, 64);
      if constexpr (B::in_parts) block_tiles = kv_tiles_of(item, block_tiles), tiles = kv_tiles_of(item, tiles);
      const uint32_t q_place = q_at(work_ring.stage, group);
      recorder.mark(Stamp::WorkTile, index);
      for (int tile = block_tiles - 1; tile >= tiles; --tile) skip(tile, group, k_ring, v_ring, bytes, recorder);
      if constexpr (!B::specialised) {
        if (block_tiles == 0 && threadIdx.x == 0) {
          next_k(loads(bytes));
          next_v(loads(bytes));
        }
        __syncwarp();
      }

      float o[D / 2], s[Bc / 2], m[2], l[2], alpha[2];
      uint32_t p[Bc / 16][4];
#pragma unroll
      for (int e = 0; e < D / 2; ++e) o[e] = 0.0f;
      m[0] = m[1] = minus_infinity();
      l[0] = l[1] = 0.0f;

      mbarrier_wait(bar(QFull + work_ring.stage), work_ring.parity);
      recorder.mark(Stamp::QWait, index);
      if constexpr (B::overlap) {
        if (tiles > 0) {
          mbarrier_wait(bar(KFull + k_ring.stage), k_ring.parity);
          recorder.mark(Stamp::KWait, tiles - 1);
          multiply_qk(s, q_place, k_at(k_ring.stage));
          recorder.mark(Stamp::ScoresIssued, tiles - 1);
          wgmma_wait<0>();
          wgmma_pin(s);
          recorder.mark(Stamp::Scores, tiles - 1);
          release(KEmpty + k_ring.stage);
          k_ring.advance();
          refill_k(bytes, tiles - 1, recorder);
          soften(s, m, l, alpha, kv_tile(item, tiles - 1), group_row, row);  // O is still 0
          recorder.sums(a, work.head, tiles - 1, row, m, l);
          recorder.hold(s);
          recorder.mark(Stamp::Softmax, tiles - 1);
          pack(p, s);
        }
        for (int tile = tiles - 2; tile >= 0; --tile) {
          recorder.mark(Stamp::Correct, tile + 1);
          await_turn(group);
          recorder.mark(Stamp::Turn, tile);
          mbarrier_wait(bar(KFull + k_ring.stage), k_ring.parity);
          recorder.mark(Stamp::KWait, tile);
          multiply_qk(s, q_place, k_at(k_ring.stage));
          recorder.mark(Stamp::ScoresIssued, tile);
          mbarrier_wait(bar(VFull + v_ring.stage), v_ring.parity);
          recorder.mark(Stamp::VWait, tile + 1);
          multiply_pv(o, p, v_ring.stage);
          recorder.mark(Stamp::OutputIssued, tile + 1);
          pass_turn(group);
          wgmma_wait<1>();
          wgmma_pin(s);
          recorder.mark(Stamp::Scores, tile);
          release(KEmpty + k_ring.stage);
          k_ring.advance();
          refill_k(bytes, tile, recorder);
          const bool shrink = soften(s, m, l, alpha, kv_tile(item, tile), group_row, row);
          recorder.sums(a, work.head, tile, row, m, l);
          recorder.hold(s);
          recorder.mark(Stamp::Softmax, tile);
          refill_v(bytes, tile + 1, recorder);  // the other warpgroups are done with the stage by now
          wgmma_wait<0>();
          wgmma_pin(o);
          recorder.mark(Stamp::Output, tile + 1);
          recorder.output(a, work.head, tile + 1, row, o);
          release(VEmpty + v_ring.stage);
          v_ring.advance();
          if (shrink) shrink_rows(o, alpha);
          pack(p, s);
        }
        if constexpr (!L::kOneQ) release(QEmpty + work_ring.stage);
        if (tiles > 0) {
          recorder.mark(Stamp::Correct, 0);
          mbarrier_wait(bar(VFull + v_ring.stage), v_ring.parity);
          recorder.mark(Stamp::VWait, 0);
          multiply_pv(o, p, v_ring.stage);
          recorder.mark(Stamp::OutputIssued, 0);
          refill_v(bytes, 0, recorder);
          wgmma_wait<0>();
          wgmma_pin(o);
          recorder.mark(Stamp::Output, 0);
          recorder.output(a, work.head, 0, row, o);
          release(VEmpty + v_ring.stage);
          v_ring.advance();
        }
      } else {
        for (int tile = tiles - 1; tile >= 0; --tile) {
          await_turn(group);
          recorder.mark(Stamp::Turn, tile);
          mbarrier_wait(bar(KFull + k_ring.stage), k_ring.parity);
          recorder.mark(Stamp::KWait, tile);
          multiply_qk(s, q_place, k_at(k_ring.stage));
          recorder.mark(Stamp::ScoresIssued, tile);
          refill_k(bytes, tile, recorder);
          wgmma_wait<0>();
          wgmma_pin(s);
          recorder.mark(Stamp::Scores, tile);
          pass_turn(group);
          release(KEmpty + k_ring.stage);
          k_ring.advance();
          const bool shrink = soften(s, m, l, alpha, kv_tile(item, tile), group_row, row);
          recorder.sums(a, work.head, tile, row, m, l);
          recorder.hold(s);
          recorder.mark(Stamp::Softmax, tile);
          if (shrink) shrink_rows(o, alpha);
          pack(p, s);
          recorder.mark(Stamp::Correct, tile);
          mbarrier_wait(bar(VFull + v_ring.stage), v_ring.parity);
          recorder.mark(Stamp::VWait, tile);
          multiply_pv(o, p, v_ring.stage);
          recorder.mark(Stamp::OutputIssued, tile);
          refill_v(bytes, tile, recorder);
          wgmma_wait<0>();
          wgmma_pin(o);
          recorder.mark(Stamp::Output, tile);
          recorder.output(a, work.head, tile, row, o);
          release(VEmpty + v_ring.stage);
          v_ring.advance();
        }
        if constexpr (!L::kOneQ) release(QEmpty + work_ring.stage);
      }
      if (B::in_parts && item.of > 1)
        store_part<D>(a, o, m, l, (long long)item.slot * L::kRows + row - first_row, row);
      else
        store(o, m, l, group, group_row, row, work.head);
      if constexpr (L::kOneQ) {  // Q's place is free once O is stored
        if (thread == 0) tma_store_wait_read();
        release(QEmpty + work_ring.stage);
      }
      recorder.mark(Stamp::Store, index);
    }
    if (thread == 0) tma_store_wait_read();
    recorder.leave();
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
    named_barrier_sync(1 + group, 128);  // the last O is stored

    const uint32_t to = shared + L::kAtO + group * 64 * L::kWidth * 2;
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

template <class T, int D, bool kCausal, class B, class R = Silent>
__global__ void __launch_bounds__(B::threads, B::blocks)
    flash_v3_forward(const ForwardArgs a, const __grid_constant__ TensorMaps maps, const R record) {
  extern __shared__ unsigned char raw[];
  const uint32_t shared = (shared_address(raw) + 1023) & ~1023u;
  unsigned char* const bytes = raw + (shared - shared_address(raw));
  const int total = B::in_parts ? work_items(a.parts) : a.q_tiles * a.all_heads;
  const FlashV3<T, D, kCausal, B, R> flash{{a, maps, shared, total, record}};
  if constexpr (B::in_parts) let_next_begin();
  if (threadIdx.x == 0) flash.init_barriers();
  __syncthreads();

  const int warpgroup = __shfl_sync(0xffffffffu, threadIdx.x / 128, 0);
  if constexpr (!B::specialised) {
    flash.consume(warpgroup, bytes);
  } else if (warpgroup == 0) {
    if constexpr (B::moves_registers) shrink_registers<B::producer_registers>();
    if (threadIdx.x == 0) flash.produce();
    if constexpr (R::watches) {
      if (threadIdx.x == 32) flash.watch();
    }
  } else {
    if constexpr (B::moves_registers) grow_registers<B::consumer_registers>();
    flash.consume(warpgroup - 1, bytes);
  }
}

}  // namespace tilewalk::fast
