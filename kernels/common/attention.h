// The problem as each kernel receives it: shapes, tiles, and the mask as a band. Plain values, so that host code needs
// no CUDA to fill them in. Tensors are separate arguments. Offsets are 64 bits: a tensor may pass 2^31 elements.
#pragma once

namespace tilewalk {

struct Attention {
  long long batch, heads, kv_heads, n_q, n_kv;
  int d, br, bc;
  long long q_tiles, kv_tiles;
  long long band_low, band_high;  // row i sees columns j with i + band_low <= j <= i + band_high
  bool reverse;                   // visit KV tiles last to first
  float c;                        // factor from a dot product to a score in log2 units
  long long first_block;          // the index of blockIdx.x = 0: long launches are cut into slices
};

}  // namespace tilewalk
