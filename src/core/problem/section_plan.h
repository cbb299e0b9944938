// Under a causal mask a forward kernel's Q tiles begin longest first, section by section of heads, so that K and V of a
// section stay in L2 while its shorter tiles read them again. No CUDA here: kernels, the model of time and a test use
// it.
#pragma once

#include <algorithm>
#include <cstdint>

#include "core/problem/fast_kernels.h"

namespace tilewalk::fast {

struct SectionShape {
  std::int64_t heads, heads_per_kv, n_q, n_kv, d;  // heads: in all, batch included; d: a multiple of 8
};

inline constexpr std::int64_t kSectionBytes = 24 << 20;  // K and V that should stay in L2 together
// FA-3's short rows: Q and O pass through L2 as well, and memory sets the time. A call of more than 120 MB has sections
// of fewer heads. Both limits are fitted on an H100 (kernels/NOTES.md, v3.13).
inline constexpr std::int64_t kSectionHeadsV3 = 32, kStreamedBytesV3 = 120'000'000, kStreamedColumnsV3 = 128;

// The most heads of a section.
inline std::int64_t heads_of_section(Contender kernel, const SectionShape& s) {
  const std::int64_t most = std::clamp<std::int64_t>(kSectionBytes * s.heads_per_kv / (s.n_kv * s.d * 4), 1, s.heads);
  const std::int64_t bytes = 4 * s.d * s.heads * (s.n_q + s.n_kv / s.heads_per_kv);
  const bool streams = kernel == Contender::FlashV3 && s.d <= kStreamedColumnsV3 && bytes > kStreamedBytesV3;
  return streams ? std::min(most, kSectionHeadsV3) : most;
}

}  // namespace tilewalk::fast
