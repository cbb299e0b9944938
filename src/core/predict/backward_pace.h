// The pace of the backward kernels in kernels/fast on Hopper, each build measured alone: the thread block's item (its
// loads of K and V, first products, stores of dK and dV), its visit of one tile of queries, and what a call takes
// beside, without launches and without the bytes of the kernels before and after.
//
// Source: assets/measurements/pace_backward_h100_2026-11-27.csv (kernels/fast/scripts/bench_launches.py): 12 heads,
// whole waves of KV tiles, no mask, 1 to 24 tiles of queries; least squares of relative errors. FA-3 up to 12 tiles.
// A head's last tile may have fewer keys: its item is shorter (core/chip/fast_pace), its visits are not
// (pace_fewer_backward_h200_2026-11-29.csv).
// FA-3's build for short rows has a pace of its own: its three kernels' times in 84 launches of 64 million numbers of Q
// (short_backward_h200_2026-11-29.csv), no call of a sample. With one KV tile after the other of many heads, blocks
// load and store at different times, so an item is shorter there than in whole waves of few heads. A visit of a Q tile
// with few rows is shorter, and one whose rows see no key of one of the two warpgroups. Bytes and visits delay each
// other where both take about as long. The builds whose thread block has all keys (core/problem/backward_build.h) have
// theirs from calls of 4 to 1,000 heads, 32 to 192 rows and as many keys (backward_all_keys_pace_h200_2026-11-30.csv),
// no call of a sample: each block reads Q and dO of its own from DRAM, so a visit is longer than where blocks of a head
// share them, and shorter where few blocks read. Not here: FA-3 above d = 128, where a second kernel computes dQ.
#pragma once

#include <cstdint>

#include "core/problem/contender.h"
#include "core/problem/device_model.h"

namespace tilewalk {

struct BackwardPace {
  Contender kernel{};
  std::int64_t d = 0;
  std::int64_t all_keys = 0;  // of the tile, where a thread block has all keys of a head; else 0
  int blocks = 1;             // thread blocks that share a multiprocessor
  double first_us = 0, item_us = 0, visit_us = 0;
  double less_without_rows = 0;  // share of a visit, times the share of the Q tile's rows that are missing
  double hidden_visit = 1;       // share of the first visit, some of whose warpgroups see no key; of three, also what
                                 // the second one saves
  double before = 1, after = 1;  // share of a copy's rate that the kernels before and after the walk reach
  double exponent = 0;           // the walk takes the root of the sum of its two times' powers; 0: the longer one
  double few_saves = 0;          // share of item and visit that a block saves where no other multiprocessor has one

  double visit_share(std::int64_t rows, std::int64_t of_rows) const {
    return 1 - less_without_rows * (1 - double(rows) / double(of_rows));
  }
  // Of a thread block's time, where this share of the places has one in the first wave.
  double share_of_few(double filled) const { return 1 - few_saves * (1 - filled); }
  double both(double visits_s, double bytes_s) const;
};

// Null where the build, or the card's rate of products, was not measured: with a rate that somebody typed the pace of
// another card would be faster than the products.
// all_keys: as in BackwardPace.
const BackwardPace* backward_pace(Contender kernel, std::int64_t built_d, const DeviceModel&, bool short_rows = false,
                                  std::int64_t all_keys = 0);

}  // namespace tilewalk
