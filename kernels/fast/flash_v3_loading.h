// The loading half of flash_v3: the layout of a thread block's shared memory, the barriers that pass tiles on, the
// producer that starts copies, the watcher that sees them arrive (in builds that stamp), and, in builds without a
// producer, the loads that a consumer's thread starts between its own products.
#pragma once

#include "kernels/fast/flash_v3_build.h"
#include "kernels/fast/forward_args.h"
#include "kernels/fast/hopper.h"
#include "kernels/fast/record.h"

namespace tilewalk::fast {

template <int D, bool kCausal, class B, class R>
struct Loading {
  using L = Layout<D, B>;
  using Recorder = typename R::Recorder;
  static constexpr int Bc = B::bc;
  static constexpr bool kReadsOnce = B::read_once;
  static constexpr bool kWatched = R::watches && B::specialised;
  static constexpr int kReaders = 4 * B::consumers + (kWatched ? 1 : 0);  // arrivals that empty a stage

  const ForwardArgs& a;
  const TensorMaps& maps;
  uint32_t shared;
  int total;
  const R& record;

  __device__ uint32_t bar(int which) const { return shared + L::kAtBarriers + 8 * which; }
  __device__ uint32_t q_at(int stage, int group) const {
    return shared + (L::kOneQ ? 0 : stage * L::kQ) + group * 64 * L::kWidth * 2;
  }
  __device__ uint32_t k_at(int stage) const { return shared + L::kAtK + stage * L::kKv; }
  __device__ uint32_t v_at(int stage) const { return shared + L::kAtV + stage * L::kKv; }

  __device__ static WorkItem item_of(const ForwardArgs& a, int index) {
    if constexpr (B::in_parts) return work_item(a.parts, index);
    return {index};
  }

  __device__ static int kv_tile(const WorkItem& item, int nth) {
    if constexpr (B::in_parts) return nth_kv_tile(item, nth);
    return nth;
  }

  __device__ void init_barriers() const {
    for (int i = 0; i < kStages; ++i) {
      for (const int full : {QFull, KFull, VFull, WorkFull}) mbarrier_init(bar(full + i), 1);
      for (const int empty : {QEmpty, KEmpty, VEmpty, WorkEmpty}) mbarrier_init(bar(empty + i), kReaders);
    }
    mbarrier_init_fence();
  }

  // The counter wraps to 0 at the last draw of the launch: each block draws once past the end. In parts of one tile a
  // block's first item has its own number and needs no draw.
  __device__ int draw(bool first) const {
    if constexpr (kReadsOnce) return first ? blockIdx.x : (int)(gridDim.x + atomicInc(a.work_counter, total - 1));
    if constexpr (B::persistent) return (int)atomicInc(a.work_counter, total + gridDim.x - 1);
    return first ? blockIdx.x : total;
  }

  __device__ void load(uint32_t to, const CUtensorMap* map, uint32_t full, int rows, int first_row, int head) const {
#pragma unroll
    for (int column = 0; column < L::kColumns; ++column) {
      tma_load(to + column * rows * 128, map, full, column * 64, first_row, head);
    }
  }

  // A tile of K or V.
  __device__ void load_kv(uint32_t to, const CUtensorMap* map, uint32_t full, int first_row, int head) const {
    mbarrier_expect(full, L::kKv);
    if constexpr (kReadsOnce) {
#pragma unroll
      for (int column = 0; column < L::kColumns; ++column)
        tma_load_once(to + column * Bc * 128, map, full, column * 64, first_row, head);
    } else {
      load(to, map, full, Bc, first_row, head);
    }
  }

  __device__ void load_q(int stage, int first_row, int head) const {
    mbarrier_expect(bar(QFull + stage), L::kQ);
    for (int group = 0; group < B::consumers; ++group) {
      load(q_at(stage, group), &maps.q, bar(QFull + stage), 64, first_row + group * 64, head);
    }
  }

  // One thread: draws work tiles, passes them to the consumers, starts copies. It draws as late as the next tile's
  // loads allow, so that no block keeps a tile while another has no work.
  __device__ void produce() const {
    Recorder recorder(record, kProducerLane);
    Ring ring, work_ring, before;  // before: of the previous work tile
    for (int index = draw(true), next;; index = next, before = work_ring, work_ring.advance()) {
      mbarrier_wait(bar(WorkEmpty + work_ring.stage), work_ring.parity ^ 1);
      asm volatile("st.shared.s32 [%0], %1;" ::"r"(bar(WorkSlots) + 4 * work_ring.stage), "r"(index) : "memory");
      mbarrier_arrive(bar(WorkFull + work_ring.stage));
      if (index >= total) return;
      const WorkItem item = item_of(a, index);
      const WorkTile work = work_tile<kCausal>(a, item.tile);
      const int kv_head = work.head / a.heads_per_kv;
      const int first_row = work.q_tile * L::kRows;
      recorder.mark(Stamp::WorkTile, index);
      mbarrier_wait(bar(QEmpty + work_ring.stage), work_ring.parity ^ 1);
      if (L::kOneQ && before.stage != work_ring.stage) mbarrier_wait(bar(QEmpty + before.stage), before.parity);
      recorder.mark(Stamp::QWait, index);
      load_q(work_ring.stage, first_row, work.head);
      recorder.mark(Stamp::QLoad, index);
      int tile = kv_tile_count<kCausal, Bc>(a, first_row, L::kRows) - 1;
      if constexpr (B::in_parts) tile = kv_tiles_of(item, tile + 1) - 1;
      if (tile < 0) next = draw(false);
      for (; tile >= 0; --tile) {
        if (tile == 0) next = draw(false);
        mbarrier_wait(bar(KEmpty + ring.stage), ring.parity ^ 1);
        recorder.mark(Stamp::KWait, tile);
        load_kv(k_at(ring.stage), &maps.k, bar(KFull + ring.stage), kv_tile(item, tile) * Bc, kv_head);
        recorder.mark(Stamp::KLoad, tile);
        mbarrier_wait(bar(VEmpty + ring.stage), ring.parity ^ 1);
        recorder.mark(Stamp::VWait, tile);
        load_kv(v_at(ring.stage), &maps.v, bar(VFull + ring.stage), kv_tile(item, tile) * Bc, kv_head);
        recorder.mark(Stamp::VLoad, tile);
        ring.advance();
      }
    }
  }

  __device__ int work_index(int stage) const {
    int index;
    asm volatile("ld.shared.s32 %0, [%1];" : "=r"(index) : "r"(bar(WorkSlots) + 4 * stage) : "memory");
    return index;
  }

  // One thread of the producer's warpgroup: records when tiles arrive. It keeps each stage until it has seen the
  // arrival.
  __device__ void watch() const {
    Recorder recorder(record, kWatcherLane);
    Ring ring, work_ring;
    for (;; work_ring.advance()) {
      mbarrier_wait(bar(WorkFull + work_ring.stage), work_ring.parity);
      const int index = work_index(work_ring.stage);
      mbarrier_arrive(bar(WorkEmpty + work_ring.stage));
      if (index >= total) return;
      const int first_row = work_tile<kCausal>(a, index).q_tile * L::kRows;
      mbarrier_wait(bar(QFull + work_ring.stage), work_ring.parity);
      recorder.mark(Stamp::QLoad, index);
      mbarrier_arrive(bar(QEmpty + work_ring.stage));
      for (int tile = kv_tile_count<kCausal, Bc>(a, first_row, L::kRows) - 1; tile >= 0; --tile, ring.advance()) {
        mbarrier_wait(bar(KFull + ring.stage), ring.parity);
        recorder.mark(Stamp::KLoad, tile);
        mbarrier_arrive(bar(KEmpty + ring.stage));
        mbarrier_wait(bar(VFull + ring.stage), ring.parity);
        recorder.mark(Stamp::VLoad, tile);
        mbarrier_arrive(bar(VEmpty + ring.stage));
      }
    }
  }

  // Without a producer: the loads that the loading thread has started so far. In shared memory, used by that thread
  // alone.
  struct Loads {
    int index;                 // the next work tile, taken with the last K of the previous one
    int works, k, v;           // work tiles passed on, K and V tiles started
    int tile, head;            // of the next K tile; tile < 0: none is left in this work tile
    int v_tile[2], v_head[2];  // of the K tiles whose V is not yet started
    int finished;
  };
  __device__ Loads& loads(unsigned char* bytes) const { return *(Loads*)(bytes + L::kAtBarriers + kLoadsAt); }

  __device__ void begin_loads(Loads& x) const {
    x = {};
    x.tile = -1;
    x.index = draw(true);
    next_k(x);
    next_v(x);
  }

  // Starts the next K tile; at the end of a work tile it draws another and starts its Q. A work tile without K tiles
  // ends the call: the next one starts once this one is consumed, for this thread is one of the readers that it waits
  // for.
  __device__ void next_k(Loads& x) const {
    if (x.tile < 0) {
      if (x.finished) return;
      const int stage = x.works % kStages, parity = x.works / kStages % 2;
      mbarrier_wait(bar(WorkEmpty + stage), parity ^ 1);
      asm volatile("st.shared.s32 [%0], %1;" ::"r"(bar(WorkSlots) + 4 * stage), "r"(x.index) : "memory");
      mbarrier_arrive(bar(WorkFull + stage));
      ++x.works;
      x.finished = x.index >= total;
      if (x.finished) return;
      const WorkTile work = work_tile<kCausal>(a, x.index);
      x.head = work.head / a.heads_per_kv;
      mbarrier_wait(bar(QEmpty + stage), parity ^ 1);
      load_q(stage, work.q_tile * L::kRows, work.head);
      x.tile = kv_tile_count<kCausal, Bc>(a, work.q_tile * L::kRows, L::kRows) - 1;
      if (x.tile < 0) {
        x.index = draw(false);
        return;
      }
    }
    if (x.tile == 0) x.index = draw(false);
    const int stage = x.k % kStages;
    mbarrier_wait(bar(KEmpty + stage), (x.k / kStages % 2) ^ 1);
    mbarrier_expect(bar(KFull + stage), L::kKv);
    load(k_at(stage), &maps.k, bar(KFull + stage), Bc, x.tile * Bc, x.head);
    x.v_tile[stage] = x.tile--;
    x.v_head[stage] = x.head;
    ++x.k;
  }
  __device__ void next_v(Loads& x) const {
    if (x.v == x.k) return;
    const int stage = x.v % kStages;
    mbarrier_wait(bar(VEmpty + stage), (x.v / kStages % 2) ^ 1);
    mbarrier_expect(bar(VFull + stage), L::kKv);
    load(v_at(stage), &maps.v, bar(VFull + stage), Bc, x.v_tile[stage] * Bc, x.v_head[stage]);
    ++x.v;
  }

  // Called after S of a tile was issued and after a tile was added to O: starts the loads that a producer would have
  // started by then.
  __device__ void refill_k(unsigned char* bytes, int tile, Recorder& recorder) const {
    if constexpr (!B::specialised) {
      if (threadIdx.x == 0) next_k(loads(bytes));
      __syncwarp();
      if (threadIdx.x == 0) recorder.mark(Stamp::KRefill, tile);
    }
  }
  __device__ void refill_v(unsigned char* bytes, int tile, Recorder& recorder) const {
    if constexpr (!B::specialised) {
      if (threadIdx.x == 0) next_v(loads(bytes));
      __syncwarp();
      if (threadIdx.x == 0) recorder.mark(Stamp::VRefill, tile);
    }
  }
};

}  // namespace tilewalk::fast
