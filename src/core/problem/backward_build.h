// Which build of a fast backward kernel runs a call: its tile, and whether one thread block has all keys of a K and V
// head. Then dQ is complete in the block, which rounds and stores it: no sums of dQ in HBM, no zeros for them and no
// kernel that rounds them. No CUDA here: a test checks the choice without a GPU.
#pragma once

#include <cstdint>

#include "core/problem/fast_kernels.h"

namespace tilewalk::fast {

struct SharesShape {
  std::int64_t kv_heads, heads_per_kv, n_q, n_kv, d;  // kv_heads: in all, batch included
  bool causal;
};

struct BackwardBuild {
  FastTile tile;
  bool all_keys = false;
};

// FA-3's builds up to d = 64 whose thread block has all keys, and microseconds of a visit on an H200 with few blocks
// (kernels/NOTES-backward.md, b4.13). With 192 keys a third warpgroup computes, and a step has half as many rows.
struct AllKeysBuild {
  FastTile tile;
  double visit_us = 0;
};
inline constexpr AllKeysBuild kAllKeysBuilds[] = {{{128, 128}, 2.24}, {{64, 192}, 1.63}};
inline constexpr FastTile kWideAllKeys{64, 128};  // above d = 64, up to 128: always faster than sums, with one tile
inline constexpr AllKeysBuild kTwoTiles{{128, 128}, 2.24};  // in place of the second
inline constexpr double kSumsUs = 6;                        // dQ's sums in HBM: one more launch, and
inline constexpr double kSumsBytesPerUs = 4e6;              // zeros, adds and the rounding of each of them

inline BackwardBuild backward_build(Contender kernel, const SharesShape& s, std::int64_t multiprocessors) {
  const BackwardBuild usual{fast_tile(kernel, s.d, s.causal)};
  // Under a causal mask, first ones of more rows than keys may see no key, and no block would store their dQ.
  const bool stores_all = !s.causal || s.n_q <= s.n_kv;
  const std::int64_t built = built_d(kernel, s.d);
  if (kernel != Contender::FlashV3Backward || built > 128 || !stores_all) return usual;
  if (built == 128) return s.n_kv <= kWideAllKeys.keys ? BackwardBuild{kWideAllKeys, true} : usual;
  if (s.n_kv <= kAllKeysBuilds[0].tile.keys) return {kAllKeysBuilds[0].tile, true};
  if (s.n_kv > kAllKeysBuilds[1].tile.keys || multiprocessors <= 0) return usual;
  // Two KV tiles of few heads run side by side. Query heads that share K and V may be divided into shares.
  const std::int64_t heads = s.kv_heads * s.heads_per_kv;
  const auto walk_us = [&](const AllKeysBuild& build, std::int64_t kv_tiles) {
    const std::int64_t waves = (heads * kv_tiles + multiprocessors - 1) / multiprocessors;
    return double(waves * ((s.n_q + build.tile.rows - 1) / build.tile.rows)) * build.visit_us;
  };
  const double sums_us = kSumsUs + 12.0 * double(heads * s.n_q * 64) / kSumsBytesPerUs;
  if (walk_us(kAllKeysBuilds[1], 1) < walk_us(kTwoTiles, 2) + sums_us) return {kAllKeysBuilds[1].tile, true};
  return usual;
}

}  // namespace tilewalk::fast
