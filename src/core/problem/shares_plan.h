// How the backward pass orders its thread blocks, and when it divides the query heads that share K and V among several.
// Where K and V heads are few, their KV tiles alone leave multiprocessors without work. Each share sums dK and dV of
// its query heads in fp32, and one more launch adds the shares. An estimate of time decides, without CUDA.
#pragma once

#include <algorithm>
#include <cstdint>

#include "core/problem/backward_build.h"

namespace tilewalk::fast {

inline constexpr double kShareUs = 6;              // a launch, and what it waits for
inline constexpr double kShareBytesPerUs = 2.5e6;  // fp32 sums, written and read
inline constexpr double kEdgeVisits = 2;           // a block's first loads and last stores
inline constexpr double kShareGain = 0.93;         // of the time of one share, without a mask: FA-3
inline constexpr double kEqualBlocksGain = 0.98;   // FA-2 without a mask: its blocks take equally long

// Under a causal mask thread blocks of the same K and V head drift apart: that of the last keys has walked all
// its query heads while that of the first is in its first ones. With many query heads their Q, dO and sums of dQ do not
// stay in L2. In columns, query heads x head size: those beyond SharesPace::columns_in_l2 take twice the time when they
// are SharesPace::columns_twice.

// A kernel as the estimate knows it, fitted on an H100 to calls with every number of shares
// (kernels/NOTES-backward.md).
struct SharesPace {
  double flops_per_us = 0;   // of a multiprocessor
  double causal_visits = 0;  // the mean block's visits over those of the longest, and what begins late
  double columns_in_l2 = 0, columns_twice = 0;
  // Shares must take less than this part of the time of one, and of the time of the next smaller number.
  double causal_gain = 0, further_gain = 0;
  bool unequal = false;  // under a causal mask shares may differ by a query head
  int blocks = 1;        // thread blocks that share a multiprocessor; the estimate counts them under a causal mask
};

inline SharesPace shares_pace(Contender kernel, std::int64_t d) {
  if (kernel == Contender::FlashV3Backward && d <= 64) return {4.2e6, 0.5, 256, 1100, 0.87, 0.92, true};
  if (kernel == Contender::FlashV3Backward && d <= 128) return {4.2e6, 0.5, 256, 600, 0.93, 0.94, true};
  if (kernel == Contender::FlashV3Backward) return {4.2e6, 0.55, 384, 1500, 0.95, 0.96};
  return {2.3e6, 0.5, 512, 1500, 0.93, 0.96, false, d <= 32 ? 2 : 1};
}

// Up to so many rows of Q, and where query heads are divided, FA-3's kernel up to d = 128 runs its build for short
// rows.
inline constexpr std::int64_t kShortBackwardRows = 768;

// The number of shares: a divisor of heads_per_kv, unless the kernel's shares may be unequal.
inline std::int64_t shares_of(Contender kernel, const SharesShape& s, std::int64_t multiprocessors) {
  if (s.heads_per_kv < 2 || multiprocessors <= 0) return 1;
  const FastTile tile = backward_build(kernel, s, multiprocessors).tile;
  const std::int64_t built = built_d(kernel, s.d);
  const SharesPace pace = shares_pace(kernel, s.d);
  const std::int64_t together = s.causal ? pace.blocks : 1, places = multiprocessors * together;
  const double visit_us = 10.0 * double(tile.rows * tile.keys * built * together) / pace.flops_per_us;
  const std::int64_t blocks = s.kv_heads * ((s.n_kv + tile.keys - 1) / tile.keys);
  const std::int64_t q_tiles = (s.n_q + tile.rows - 1) / tile.rows;
  // Q and dO have d columns in 16 bits, FA-3's sums of dQ as many in fp32 as the build.
  const double columns_of_head = pace.unequal ? double(s.d + built) / 2 : double(s.d);
  const auto us = [&](std::int64_t shares) {
    const std::int64_t most = (s.heads_per_kv + shares - 1) / shares, all = blocks * shares;
    const double longest = double(q_tiles * most) + kEdgeVisits;
    const double mean = double(q_tiles * s.heads_per_kv) / double(shares) + kEdgeVisits;
    const double visits = s.causal ? std::max(longest, pace.causal_visits * double(all) / double(places) * mean)
                                   : double((all + places - 1) / places) * longest;
    const double bytes = 16.0 * double(shares * s.kv_heads * s.n_kv * s.d);
    const double columns = s.causal ? double(most) * columns_of_head : 0;
    const double drift = 1 + std::max(0.0, columns - pace.columns_in_l2) / pace.columns_twice;
    return visits * visit_us * drift + (shares > 1 ? kShareUs + bytes / kShareBytesPerUs : 0);
  };
  const double gain = s.causal                               ? pace.causal_gain
                      : kernel == Contender::FlashV2Backward ? kEqualBlocksGain
                                                             : kShareGain;
  const double further = s.causal ? pace.further_gain : 1, worthwhile = us(1) * gain;
  std::int64_t best = 1;
  for (std::int64_t shares = 2; shares <= s.heads_per_kv; ++shares) {
    if (s.heads_per_kv % shares != 0 && !(s.causal && pace.unequal)) continue;
    if (us(shares) < further * us(best) && us(shares) < worthwhile) best = shares;
  }
  return best;
}

// Query heads of the share of this number, of those of its K and V head: as in kernels/fast/backward_shares.h.
inline std::int64_t heads_of_share(std::int64_t heads_per_kv, std::int64_t shares, std::int64_t share) {
  return (share + 1) * heads_per_kv / shares - share * heads_per_kv / shares;
}

// Under a causal mask the thread blocks of first keys, which most rows see, take longest. They begin first, section by
// section of heads, where blocks are so few that the last ones to begin matter.
struct BackwardSections {
  std::int64_t heads = 1, larger = 0;  // of K and V and of shares; the first `larger` sections have one more
};

inline constexpr double kOrderedWaves = 12;  // with more, each head is a section
inline constexpr double kSectionWaves = 2;   // thread blocks of a section
// Q, dO and sums of dQ of one query head of each: what L2 should have together.
inline constexpr std::int64_t kSectionBytesV2 = 72 << 20, kSectionBytesV3 = 24 << 20;

// Of at most `most` heads each.
inline BackwardSections even_sections(std::int64_t heads, std::int64_t most) {
  const std::int64_t sections = (heads + most - 1) / most;
  return {heads / sections, heads % sections};
}

inline BackwardSections backward_sections(Contender kernel, const SharesShape& s, std::int64_t shares,
                                          std::int64_t multiprocessors) {
  const std::int64_t keys = backward_build(kernel, s, multiprocessors).tile.keys, kv_tiles = (s.n_kv + keys - 1) / keys;
  const std::int64_t all = s.kv_heads * shares;
  if (!s.causal || double(all * kv_tiles) > kOrderedWaves * double(multiprocessors)) return {1, 0};
  const std::int64_t bytes = kernel == Contender::FlashV3Backward ? kSectionBytesV3 : kSectionBytesV2;
  const std::int64_t head_bytes = s.n_q * s.d * 8;
  const std::int64_t fill = std::int64_t(kSectionWaves * double(multiprocessors)) / kv_tiles + 1;
  const std::int64_t most = std::clamp<std::int64_t>(std::min(bytes / head_bytes, fill), 1, all);
  return even_sections(all, most);
}

}  // namespace tilewalk::fast
