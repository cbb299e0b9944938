// The arguments of every fast forward kernel, and how a linear work index becomes (head, Q tile). Heads of Q are
// numbered batch by batch. Under a causal mask, where earlier rows see fewer keys, the longest tiles come first,
// section by section of heads whose K and V fit the L2 cache together. Sections differ by one head at most, so that the
// last section keeps as many multiprocessors busy as the others.
#pragma once

#include <cuda_runtime.h>

#include "kernels/fast/work_items.h"

namespace tilewalk::fast {

struct ForwardArgs {
  const void* q;
  const void* k;
  const void* v;
  void* o;
  float* lse;              // may be null
  unsigned* work_counter;  // zero between launches
  int all_heads;           // batch x heads
  int heads_per_kv;        // query heads that share one K and V head
  int n_q, n_kv, d;
  int q_tiles;
  int causal_shift;   // row i sees keys up to i + causal_shift
  int section_heads;  // of every section; the first ones have one more
  int larger_sections;
  float c;  // scale x log2 e: scores in log2 units
  Parts parts;
};

struct WorkTile {
  int head, q_tile;
};

template <bool kCausal>
__device__ inline WorkTile work_tile(const ForwardArgs& a, int index) {
  if constexpr (!kCausal) {
    return {index / a.q_tiles, index % a.q_tiles};
  } else {
    const int in_larger = a.larger_sections * (a.section_heads + 1);  // heads
    const bool larger = index < in_larger * a.q_tiles;
    const int heads = a.section_heads + larger, at = larger ? index : index - in_larger * a.q_tiles;
    const int section = at / (heads * a.q_tiles), within = at % (heads * a.q_tiles);
    return {(larger ? 0 : in_larger) + section * heads + within % heads, a.q_tiles - 1 - within / heads};
  }
}

// The next kernel may be placed as soon as every thread block of this one has begun; it waits for its end.
__device__ inline void let_next_begin() {
#if __CUDA_ARCH__ >= 900
  asm volatile("griddepcontrol.launch_dependents;" ::: "memory");
#endif
}

// Waits for the end of the kernel before, where this one may begin earlier (flash_v3_backward.cu).
__device__ inline void wait_for_kernel_before() { asm volatile("griddepcontrol.wait;" ::: "memory"); }

// Number of KV tiles with at least one key visible to the rows first .. first + rows - 1; they are tiles 0 .. count -
// 1.
template <bool kCausal, int Bc>
__device__ inline int kv_tile_count(const ForwardArgs& a, int first_row, int rows) {
  int keys = first_row < a.n_q ? a.n_kv : 0;
  if constexpr (kCausal) keys = min(keys, min(first_row + rows, a.n_q) + a.causal_shift);
  return keys <= 0 ? 0 : (keys + Bc - 1) / Bc;
}

}  // namespace tilewalk::fast
