// Attention as a list of operations, each with its own trip to HBM: naive (this project's: two products by cuBLAS, one
// softmax in place) and eager (PyTorch, as people write it):
//
//     k, v = (t.repeat_interleave(group, 1) for t in (k, v))     where query heads share them: @ needs as many heads
//     s = (q @ k.transpose(-1, -2)) / math.sqrt(d)
//     s = s.masked_fill(mask, -inf)        if causal; PyTorch copies s first and then fills the copy
//     p = torch.softmax(s, -1)
//     o = p @ v
//
// An operation takes the time of its bytes at the rate that it reached alone (core/predict/operation_rates) or of its
// products at the card's rate, whichever is longer, and a short begin and end. Products of rows that begin inside 16
// bytes take the time of their waves of tiles. On other cards, a rate below a copy's rate is limited by the SMs, which
// it scales with, and by the memory, which is felt before its own rate is reached: softmax alone on an H100 and an H200
// (launches_*.csv). A masked softmax of naive reads half, so less memory limits it. Data that stays in L2 between two
// operations changes DRAM's bytes, compared with an H200's own counters (forward_traffic_h200_2026-11-23.csv), but not
// the time: measured alone, it made no difference.
#pragma once

#include <string>
#include <vector>

#include "core/predict/attention_call.h"

namespace tilewalk {

struct Operation {
  std::string line;  // as a user writes it, or what the kernel does
  double bytes = 0;  // asked of global memory
  // of these, from and to DRAM: data that one operation writes and the next reads may stay in L2
  double dram_bytes = 0;
  double flops = 0;        // of products; the whole square, with or without a mask
  double bytes_per_s = 0;  // its own rate on this card
  double seconds = 0;
  int launches = 1;
};

std::vector<Operation> eager_operations(const AttentionCall&, const DeviceModel&);
std::vector<Operation> naive_operations(const AttentionCall&, const DeviceModel&);

}  // namespace tilewalk
