// Attention by ggml on the CPU (ggml_flash_attn_ext), for cpu_attention_bench. ggml is optional: where CMake does not
// find it, nothing is prepared.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "kernels/cpu/cpu_attention.h"

namespace tilewalk {

enum class GgmlKeys { Fp32, Fp16, Bf16 };  // the dtype of K and V; Q and O are fp32 in ggml

// A problem in ggml's own memory: a run does not copy, convert or allocate inputs.
class PreparedAttention {
 public:
  virtual ~PreparedAttention() = default;
  virtual void run() = 0;
  virtual std::vector<float> output() const = 0;  // of the last run: [heads, n_q, d]
};

// Null without ggml. Precondition: batch 1, and no mask or a causal one from the top left.
std::unique_ptr<PreparedAttention> prepare_ggml(const CpuAttention&, GgmlKeys);

std::string ggml_name();  // "ggml 0.21.0"; empty without ggml

}  // namespace tilewalk
