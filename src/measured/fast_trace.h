// What a traced build of a fast kernel (kernels/fast/traced.h) wrote at each tile visit, and its checker.
//
// The fast kernels sum in another order than the contract of core/values/exact_math and let m lag behind the running
// max, so their bits cannot be compared. A visit is compared with a running softmax in float64 instead, by
// FlashAttention's rule: its O, divided by the float64 sum, may have twice the error of naive attention over the same
// keys in the same precision, plus one rounding of the largest value. l and m together must give the running
// log-sum-exp to 1e-5 (relative, and one fp32 rounding of the largest score that the norms of Q and K allow), and m may
// be at most 2^8 below the running max and never above it. A row must have a visit wherever it sees a key.
// Stored as safetensors with their inputs: q, k, v; m, l [heads, KV tiles, n_q]; o [heads, KV tiles, n_q, d]; metadata
// format, kernel, variant, keys, rows, mask, scale, state, and where it ran. A file with parts that disagree gives
// Issues.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "base/result.h"
#include "core/problem/mask.h"
#include "files/safetensors.h"
#include "trace/verdict.h"

namespace tilewalk {

struct FastTrace {
  std::string kernel, variant, gpu, date;                              // a contender's word, "192x128", …
  std::int64_t heads = 0, heads_per_kv = 1, n_q = 0, n_kv = 0, d = 0;  // heads: batch x heads
  std::int64_t keys = 0, rows = 0;                                     // keys of a tile; rows that walk together
  Mask mask;
  bool bf16 = true;         // else fp16
  bool normalised = false;  // flash_v1: tiles from the first on, O divided, m its log-sum-exp in log2 units, l 1
  double scale = 1;
  std::vector<float> q, k, v, m, l, o;

  std::int64_t tiles() const { return (n_kv + keys - 1) / keys; }
};

Result<FastTrace> fast_trace_from(const SafetensorsReader&, const std::string& name);
Result<FastTrace> load_fast_trace(const std::string& path);
std::vector<std::string> fast_trace_paths(const std::string& folder);  // sorted; empty where there are none

struct FastDivergence {
  std::int64_t head = 0, q_tile = 0, kv_tile = 0, row = 0;
  std::string quantity;           // "O", "log-sum-exp" (m and l together) or "m"
  double error = 0, allowed = 0;  // m: distance below the running max, log2 units
};

struct FastTraceReport {
  Verdict verdict = Verdict::NotChecked;  // WithinRule if every check passed
  std::int64_t visits = 0, values = 0, outside = 0;
  double largest_share = 0;  // of O's error relative to its limit
  std::optional<FastDivergence> first;
};

FastTraceReport check_fast_trace(const FastTrace&);
std::string sentence_of(const FastTraceReport&);

}  // namespace tilewalk
