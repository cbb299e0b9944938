// Under a causal mask a forward kernel's Q tiles begin longest first, section by section of heads, so that K and V of a
// section stay in L2 while its shorter tiles read them again. No CUDA here: kernels, the model of time and a test use
// it.
#pragma once

#include <algorithm>
#include <cstdint>

#include "core/problem/build_choice.h"

namespace tilewalk::fast {

struct SectionShape {
  std::int64_t heads, heads_per_kv, n_q, n_kv, d;  // heads: in all, batch included; d: a multiple of 8
};

inline constexpr std::int64_t kSectionBytes = 24 << 20;  // K and V that should stay in L2 together
// The last section should have two waves of tiles: with fewer, its longest tile ends long after the others. For that
// a section may have more bytes, up to the larger limit; beyond it FA-3 took 1.1 times as long on an H100
// (kernels/NOTES-builds.md, s.1).
inline constexpr std::int64_t kLeastWaves = 2, kMostSectionBytes = 40 << 20;
// FA-3's short rows: Q and O pass through L2 as well, and memory sets the time. In a call of more than 120 MB a section
// is one wave of tiles. The limits are fitted on an H100 (kernels/NOTES-builds.md, v3.13 and s.2).
inline constexpr std::int64_t kStreamedBytesV3 = 120'000'000, kStreamedColumnsV3 = 128, kShortTiles = 8;

// How many sections: each has heads / sections heads, the first ones one more. multiprocessors 0: unknown.
inline std::int64_t section_count(Contender kernel, const SectionShape& s, std::int64_t multiprocessors) {
  const BuildPace build = pace_of(kernel, s.d, true);
  const std::int64_t tiles = ceil_div(s.n_q, build.rows);
  const std::int64_t slots = std::max<std::int64_t>(1, multiprocessors * build.blocks);
  const auto heads_in = [&](std::int64_t bytes) {
    return std::clamp<std::int64_t>(bytes * s.heads_per_kv / (s.n_kv * s.d * 4), 1, s.heads);
  };
  const std::int64_t most = heads_in(kSectionBytes), limit = heads_in(kMostSectionBytes);
  const std::int64_t bytes = 4 * s.d * s.heads * (s.n_q + s.n_kv / s.heads_per_kv);
  const bool streams = kernel == Contender::FlashV3 && s.d <= kStreamedColumnsV3 && bytes > kStreamedBytesV3;
  if (streams && tiles <= kShortTiles)
    return ceil_div(s.heads, std::min(most, std::max<std::int64_t>(1, slots / tiles)));
  const std::int64_t least = std::min(ceil_div(kLeastWaves * slots, tiles), limit);
  const std::int64_t sections = ceil_div(s.heads, std::max(most, least));
  const bool too_few = sections > 1 && s.heads / sections < least;  // in the last section
  return too_few && ceil_div(s.heads, sections - 1) <= limit ? sections - 1 : sections;
}

}  // namespace tilewalk::fast
