// Launches the fast FlashAttention-1 kernel. Head sizes that are multiples of 8, up to 256; checked by the caller.
#pragma once

#include <cstddef>

#include "kernels/fast/forward_args.h"
#include "kernels/fast/record.h"

namespace tilewalk::fast {

// Bytes in HBM between visits: O in fp32 and one log-sum-exp a row.
size_t flash_v1_workspace_bytes(long long all_heads, long long n_q, long long padded_d);
const char* flash_v1_variant(int variant, int d);  // its name; null past the last
// With `traced`: a build that also writes O and the log-sum-exp of each visit to `state`.
cudaError_t flash_v1_launch(const ForwardArgs&, void* state, bool bf16, bool causal, cudaStream_t,
                            const State* traced = nullptr);

}  // namespace tilewalk::fast
