// Launches the fast FlashAttention-2 kernels, forward and backward. Head sizes that are multiples of 8, up to 256;
// checked by the caller.
#pragma once

#include "kernels/fast/forward_args.h"

namespace tilewalk::fast {

const char* flash_v2_variant(int variant, int d);  // its name; null past the last
cudaError_t flash_v2_launch(int variant, const ForwardArgs&, bool bf16, bool causal, cudaStream_t);
// a.parts filled in.
cudaError_t flash_v2_parts_launch(int variant, const ForwardArgs&, bool bf16, bool causal, cudaStream_t);
// Tiles of 64 rows: above d = 128, or without a mask.
cudaError_t flash_v2_short_launch(const ForwardArgs&, bool bf16, bool causal, bool in_parts, cudaStream_t);
// Of kFewRowsVariant (build_choice.h), for flash_v2 and flash_v3; a.parts filled in, d a multiple of 8.
cudaError_t few_rows_launch(const ForwardArgs&, bool bf16, cudaStream_t);

struct BackwardArgs {
  ForwardArgs forward;  // with o and lse as the forward pass left them
  const void* d_o;
  void* d_q;
  void* d_k;
  void* d_v;
  float* row_dot;  // work space: [heads, n_q]
  float* dq_sum;   // work space: [heads, n_q, d]
  float scale;
  // Above 1, the shares' dK and dV go to part_k and part_v [K and V heads, shares, n_kv, d] (shares_plan.h).
  int shares = 1;
  float* part_k = nullptr;
  float* part_v = nullptr;
};

// kv_heads: of K and V, batch included.
// Shares must be equal: b.shares a divisor of forward.heads_per_kv.
cudaError_t flash_v2_backward_launch(BackwardArgs, long long kv_heads, bool bf16, bool causal, cudaStream_t);

}  // namespace tilewalk::fast
