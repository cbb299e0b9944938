// Unfused attention as a framework runs it. Its workspace contains all scores.
#pragma once

#include <cstddef>

#include "kernels/fast/forward_args.h"

namespace tilewalk::fast {

size_t naive_workspace_bytes(long long all_heads, long long n_q, long long n_kv);
// Null for success, else what went wrong. `scores`: naive_workspace_bytes() bytes, aligned to 16.
const char* naive_launch(const ForwardArgs&, float scale, void* scores, bool bf16, bool causal, cudaStream_t);

}  // namespace tilewalk::fast
