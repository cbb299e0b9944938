// The order in which the thread blocks of a backward kernel begin. A multiprocessor that is done takes the block with
// the next index. Under a causal mask first keys are seen by most rows, so their blocks take longest and come first,
// section by section of heads. Sections differ by one head at most.
#pragma once

#include "kernels/fast/forward_args.h"

namespace tilewalk::fast {

struct KeyTile {
  int kv_head, tile;  // kv_head: of K and V, or of a share of its query heads
};

// heads: of K and V, shares counted. The sections are those of `a`, of such heads.
template <bool kCausal>
__device__ inline KeyTile key_tile(const ForwardArgs& a, int kv_tiles, int index) {
  if constexpr (!kCausal) {
    return {index / kv_tiles, index % kv_tiles};
  } else {
    const int in_larger = a.larger_sections * (a.section_heads + 1);  // heads
    const bool larger = index < in_larger * kv_tiles;
    const int heads = a.section_heads + larger, at = larger ? index : index - in_larger * kv_tiles;
    const int section = at / (heads * kv_tiles), within = at % (heads * kv_tiles);
    return {(larger ? 0 : in_larger) + section * heads + within % heads, within / heads};
  }
}

}  // namespace tilewalk::fast
