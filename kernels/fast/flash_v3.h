// Launches the Hopper forward kernel. Head sizes that are multiples of 8, up to 256; checked by the caller.
#pragma once

#include "core/problem/backward_build.h"
#include "kernels/fast/flash_v2.h"

namespace tilewalk::fast {

// K and V as flash_v3 reads them: heads, and elements from a row to the next; 0: as many as d.
struct KvRows {
  KvRows(long long all_heads, long long row_stride = 0) : heads(all_heads), stride(row_stride) {}
  long long heads, stride;
};

const char* flash_v3_variant(int variant, int d);  // its name; null past the last
// Null for success, else what went wrong.
const char* flash_v3_launch(int variant, const ForwardArgs&, KvRows, bool bf16, bool causal, cudaStream_t);
// With a.parts filled in: the first variant's build or, without a mask, that of short_rows_variant(), with one of
// two_blocks_variant().
const char* flash_v3_parts_launch(int variant, const ForwardArgs& a, KvRows, bool bf16, bool causal, cudaStream_t);

// Of kBulkRowsVariant (build_choice.h): whole tiles, or divided where a.parts is filled in.
cudaError_t few_rows_bulk_launch(const ForwardArgs& a, int blocks, bool bf16, cudaStream_t);

// b.row_dot and b.dq_sum are not read: their place is in the workspace.
size_t flash_v3_backward_workspace_bytes(const SharesShape&);
const char* flash_v3_backward_launch(BackwardArgs b, void* workspace, long long kv_heads, bool bf16, bool causal,
                                     cudaStream_t);

}  // namespace tilewalk::fast
