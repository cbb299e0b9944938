// What the rungs after the first are told beyond Attention. Plain values, so that host code needs no CUDA to fill them in.
// 01_standard.cu and 03_flash_v2.cu do without.
#pragma once

#include "kernels/common/attention.h"

namespace tilewalk {

// In flash_v1, gRowMax and gRowSum are the m and l that travel, and trace.visits_before is by KV tile, in walk order.
struct FamilyAttention : Attention {
  float* gOSum;            // flash_v1: (batch, heads, n_q, d): the O that travels, fp32; gO itself where the storage type is fp32
  float threshold;         // flash_v4: a max that grew by no more than this is not followed, log2 units
  long long splits;        // split_kv: shares of the KV range
  long long split_tiles;   // split_kv: KV tiles of one share
  float* gOPartial;        // split_kv: (splits, batch, heads, n_q, d): O / l of each share
  float* gLPartial;        // split_kv: (splits, batch, heads, n_q): L of each share
};

}  // namespace tilewalk
