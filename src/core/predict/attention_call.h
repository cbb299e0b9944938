// The input of a prediction: one attention call on one card. FLOPs are the textbook's, 4 N_q N_kv d heads batch, half
// of it where the mask is causal, 2.5 times that backward. Not modelled: a causal mask or a backward pass of N_q other
// than N_kv, dropout, windows, masks given as a tensor.
#pragma once

#include <cstdint>

#include "base/result.h"
#include "core/problem/device_model.h"

namespace tilewalk {

struct AttentionCall {
  std::int64_t n = 4096, d = 64, heads = 16, kv_heads = 0, batch = 1;  // kv_heads 0: as many as heads
  bool causal = false;
  DType dtype = DType::Bf16;
  std::int64_t n_kv = 0;  // keys; 0: as many as the n rows of Q

  bool operator==(const AttentionCall&) const = default;

  std::int64_t all_heads() const { return heads * batch; }
  std::int64_t all_kv_heads() const { return (kv_heads > 0 ? kv_heads : heads) * batch; }
  double element_bytes() const { return dtype == DType::Fp32 ? 4 : 2; }
  std::int64_t keys() const { return n_kv > 0 ? n_kv : n; }
  bool square() const { return keys() == n; }
  double scores() const { return double(n) * double(keys()) * double(all_heads()); }  // masked scores too
  // Of Q and O, and of K and V, in numbers.
  double in_and_out() const {
    return 2 * double(d) * (double(n) * double(all_heads()) + double(keys()) * double(all_kv_heads()));
  }
  double flops() const { return 4 * scores() * double(d) / (causal ? 2 : 1); }
  double exponentials() const { return scores() / (causal ? 2 : 1); }
};

// Every size from 1, below 2^24; under a causal mask as many keys as rows; d up to 65536; heads a multiple of kv_heads;
// all scores fewer than 2^62.
Issues why_no_call(const AttentionCall&);

}  // namespace tilewalk
