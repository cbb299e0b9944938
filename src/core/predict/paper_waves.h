// The pencil method for calls that are short or small, which lesson 15 teaches: where the lines of
// core/predict/pencil_method promise too much, since thread blocks come in waves and each launch takes time.
//     blocks  = heads x Q tiles of a head, rounded up
//     waves   = blocks / places, rounded up; under a causal mask times (T + 1) / 2T for T Q tiles, rounded up to
//               halves, and at least 1: the block with the last rows visits every K tile
//               0.7 where each block has an SM of its own though two would fit; places are at most two an SM
//     seconds = a launch + waves x (the line's seconds for a full wave without a mask + begin and end of its blocks)
//     naive   = its line, times 2.4 at N 512, 1.6 at 1,024, 1.2 at 2,048, 1.1 beyond, + three launches
// Q tiles are those of the build that runs (core/problem/build_choice.h).
// Compared with the model on 100 calls of an H200 (N 512 to 16,384, 8 to 512 heads, both masks), FA-2's and FA-3's
// seconds are off by 3 and 5 % in the median, by more than 25 % in 10 and 1; their lines alone by 16 and 28 %, in 42
// and 53. Times are the card's. Called one at a time, no call takes less than the processor's 18 µs.
// Not modelled: tiles divided along the keys, other cards' launches, and naive with rows of no multiple of 8 numbers,
// whose products are slower.
#pragma once

#include <cstdint>
#include <optional>

#include "core/predict/attention_method.h"

namespace tilewalk {

inline constexpr double kPaperLaunch = 5e-6, kPaperBlock = 2e-6;  // seconds: a launch; begin and end of a wave's blocks
inline constexpr double kLonePlace = 0.7;                         // waves, where each block has an SM of its own

struct PaperWaves {
  std::int64_t q_tiles = 0, blocks = 0, places = 0;  // Q tiles of a head; all thread blocks; blocks that run at once
  double share = 1;                                  // of the tiles, as the mask leaves them
  double waves = 0;                                  // rounded
  double wave_s = 0;                                 // of one full wave, without a mask
  double seconds = 0;                                // of the call

  double unrounded() const { return double(blocks) / double(places) * share; }
};

// None for methods without a line or without tiles. blocks_per_sm: thread blocks with this tile that fit at once.
std::optional<PaperWaves> paper_waves(const AttentionMethod&, const AttentionCall&, const DeviceModel&, const FastTile&,
                                      int blocks_per_sm);

// How many times its line naive attention takes, with rows of this length.
double naive_in_rows_of(std::int64_t n);
// None for rows that are no multiple of 8 numbers.
std::optional<double> naive_in_short_rows(const AttentionCall&, const DeviceModel&);

}  // namespace tilewalk
