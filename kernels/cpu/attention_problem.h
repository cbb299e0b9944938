// What both CPU kernels ask of a problem.
#pragma once

#include <string>

#include "kernels/cpu/cpu_attention.h"

namespace tilewalk::cpu {

// An empty string, or what is wrong: field, value, rule, way out.
std::string refusal(const CpuAttention&);

// Keys 0 .. this - 1 are seen by the query; from 0 to n_kv, never falling with the row.
std::int64_t visible_keys(const CpuAttention&, std::int64_t row);

inline std::int64_t element_bytes(const CpuAttention& a) { return a.dtype == CpuDType::Fp32 ? 4 : 2; }

// The element of [batch, heads, n, d] where a head's matrix starts; heads counted through the batch.
template <class Byte>
Byte* head_at(Byte* tensor, const CpuAttention& a, std::int64_t head, std::int64_t n) {
  return tensor + head * n * a.d * element_bytes(a);
}

}  // namespace tilewalk::cpu
