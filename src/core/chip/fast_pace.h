// The pace of the builds of FA-2 and FA-3 in kernels/fast, each measured alone: a thread block's item (its begin, its
// first loads, its last products and its stores), its tile visit, and what a launch's first thread blocks take longer,
// with as many thread blocks on each multiprocessor as given.
//
// Source: assets/measurements/pace_*h100_2026-11-27.csv (kernels/fast/scripts/bench_launches.py), one Q tile for each
// of many heads which share K and V, 128 to 4,096 keys; least squares of these launches. handover_us: launches of as
// many blocks as fit once, 128 to 1,024 keys, where it is more than a microsecond. No call of a race is among them:
// each has one Q tile a head. On another Hopper card an item takes as long, and a visit as many times longer as the
// card's data sheet and reached rates say (core/chip/visit_pace). A head's last tile may have fewer rows: FA-3's
// warpgroups without rows skip their visits, and Q's load and O's store are shorter
// (assets/measurements/pace_rows_h200_2026-11-29.csv, tiles with 64 rows missing, or 128; FA-2's visits are as long as
// with all rows). Not modelled: clocks that fall in long calls.
#pragma once

#include "core/chip/fast_run.h"

namespace tilewalk {

// Share of a thread block's item where its tile has this many rows of `rows`: half of an item is loads and stores of
// the tile. In a backward pass the tile's rows are keys (pace_fewer_backward_h200_2026-11-29.csv).
double item_share(std::int64_t present, std::int64_t rows);

struct FastPace {
  Contender kernel{};
  std::int64_t d = 0, rows = 0, keys = 0;
  int blocks = 1;                            // thread blocks that share a multiprocessor
  double first_us = 0;                       // once a launch
  double item_us[3] = {}, visit_us[3] = {};  // with 1, 2, 3 blocks on each multiprocessor, until each has done one
  // Of item_us with as many blocks as fit: what a block takes longer that follows another one in its place. The first
  // blocks of a launch do not wait for it.
  double handover_us = 0;
  double visit_of_groups[2] = {1, 1};  // share of visit_us where only the first, or the first two, warpgroups have rows

  double visit_share(std::int64_t rows_present) const;  // of visit_us
  double item_share(std::int64_t rows_present) const { return tilewalk::item_share(rows_present, rows); }  // of item_us
};

// Null where this build, or a card of this generation, was not measured: its pace is then derived
// (core/chip/visit_pace).
const FastPace* pace_of_build(Contender kernel, const fast::BuildPace&, const DeviceModel&);

}  // namespace tilewalk
