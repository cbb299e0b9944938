// What a backward pass is told beyond the rungs before it, and where it records. Plain values, so that host code needs
// no CUDA to fill them in. gO and gL are read here: the forward pass left them.
#pragma once

#include "kernels/common/stages.h"

namespace tilewalk {

// As TraceBuffers; S and P lie there. trace.visits_before is by KV tile, in walk order, and counts, as visits_per_head
// does, the visits of one query head: a KV tile has them once for each query head that shares it.
struct GradientTrace {
  float *dp, *ds;   // (visits, Br, Bc)
  float* dq;        // (visits, Br, d)
  float *dk, *dv;   // (visits, Bc, d)
};

struct BackwardAttention : StagedAttention {
  const void* gdO;   // (batch, heads, n_q, d), storage type
  float* gD;         // (batch, heads, n_q): rowsum(dO o O)
  float* gdQSum;     // (batch, heads, n_q, d): the dQ that travels, fp32; gdQ itself where the storage type is fp32
  void* gdQ;         // (batch, heads, n_q, d), storage type
  void *gdK, *gdV;   // (batch, kv_heads, n_kv, d), storage type
  float g;           // what dQ and dK are multiplied by at the end
  GradientTrace gradients;
};

}  // namespace tilewalk
