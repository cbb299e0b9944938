// Launches the fast FlashAttention-2 forward kernel. Head sizes that are multiples of 8, up to 128; checked by the caller.
#pragma once

#include "kernels/fast/forward_args.h"

namespace tilewalk::fast {

const char* flash_v2_variant(int variant, int d);  // its name; null past the last
cudaError_t flash_v2_launch(int variant, const ForwardArgs&, bool bf16, bool causal, cudaStream_t);

}  // namespace tilewalk::fast
