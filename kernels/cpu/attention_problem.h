// Validation and geometry that both CPU kernels use.
#pragma once

#include <string>

#include "kernels/cpu/cpu_attention.h"

namespace tilewalk::cpu {

// Returns an empty string for a valid problem, else a sentence with the field, its value, the rule and what to do.
std::string refusal(const CpuAttention&);

// The query of this row sees keys 0 .. this - 1; from 0 to n_kv, never decreasing from row to row.
std::int64_t visible_keys(const CpuAttention&, std::int64_t row);

inline std::int64_t element_bytes(const CpuAttention& a) { return a.dtype == CpuDType::Fp32 ? 4 : 2; }

// The first element of a head's matrix in [batch, heads, n, d]; heads count through all batches.
template <class Byte>
Byte* head_at(Byte* tensor, const CpuAttention& a, std::int64_t head, std::int64_t n) {
  return tensor + head * n * a.d * element_bytes(a);
}

}  // namespace tilewalk::cpu
