// What 09_backward_standard.cu is told beyond the rungs before it: where the two N^2 matrices of gradients lie. gP holds
// what the forward pass left, divided and in the storage type. Plain values, so that host code needs no CUDA to fill them
// in. trace.visits_before is not read: every tile is visited.
#pragma once

#include "kernels/common/backward.h"

namespace tilewalk {

struct StandardBackwardAttention : BackwardAttention {
  float* gdP;   // (batch, heads, n_q, n_kv)
  void* gdS;    // as gdP, storage type
};

}  // namespace tilewalk
