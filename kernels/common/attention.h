// What every attention kernel is told: shapes, the mask as a band, pointers into global memory, and where to record.
// Plain values, so that host code needs no CUDA to fill them in. Offsets are 64 bits: a tensor may pass 2^31 elements.
#pragma once

namespace tilewalk {

// Where a traced kernel writes; each pointer may be null. Row v of an array belongs to tile visit v, counted in walk
// order over all batches, heads and Q tiles.
struct TraceBuffers {
  float *m, *l, *alpha;             // (visits, Br)
  float *s, *p;                     // (visits, Br, Bc)
  float *o;                         // (visits, Br, d)
  unsigned long long* hashes;       // (visits), zero before the launch
  const long long* visits_before;   // (q_tiles): visits of one head before this Q tile
  long long visits_per_head;
};

struct Attention {
  long long batch, heads, kv_heads, n_q, n_kv;
  int d, br, bc;
  long long q_tiles, kv_tiles;
  long long band_low, band_high;    // row i sees columns j with i + band_low <= j <= i + band_high
  bool reverse;                     // visit KV tiles last to first
  float c;                          // turns a dot product into a score in log2 units

  const void *gQ, *gK, *gV;         // (batch, heads, n_q, d), (batch, kv_heads, n_kv, d), the same; storage type
  void* gO;                         // (batch, heads, n_q, d), storage type
  float* gL;                        // (batch, heads, n_q): L = m + log2 l, flash kernels

  float* gS;                        // (batch, heads, n_q, n_kv): scores, standard
  void* gP;                         // as gS: P in the storage type, or e in fp32 where a row does not fit
  float* gRowSum;                   // (batch, heads, n_q): l; standard: where a row does not fit or when recorded, else null
  float* gRowMax;                   // (batch, heads, n_q): m; standard: when recorded, else null
  int row_chunk;                    // columns of a row of S that pass 2 holds at a time

  long long first_block;            // what blockIdx.x = 0 stands for: long launches come in slices
  TraceBuffers trace;
};

}  // namespace tilewalk
