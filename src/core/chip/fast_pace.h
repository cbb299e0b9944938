// The pace of the builds of FA-2 and FA-3 in kernels/fast, each measured alone: a thread block's item (its begin, its
// first loads, its last products and its stores), its tile visit, and what a launch's first thread blocks take longer,
// with as many thread blocks on each multiprocessor as given.
//
// Source: assets/measurements/pace_*h100_2026-11-27.csv, pace_short_h200_2026-11-30.csv, pace_few_causal_ and
// pace_narrow_h200_2026-12-01 (kernels/fast/scripts/bench_launches.py), one Q tile for each of many heads which share K
// and V, 128 to 4,096 keys; least squares of these launches. handover_us: launches of as many blocks as fit once, 128
// to 1,024 keys, where it is more than a microsecond. No call of a race is among them: each has one Q tile a head. On
// another Hopper card an item takes as long, and a visit as many times longer as the card's data sheet and reached
// rates say (core/chip/visit_pace). A head's last tile may have fewer rows: FA-3's warpgroups without rows skip their
// visits, and Q's load and O's store are shorter (assets/measurements/pace_rows_h200_2026-11-29.csv, tiles with 64 rows
// missing, or 128; FA-2's visits are as long as with all rows). The builds of few rows, as in decoding: calls
// at d = 8 and 16, which K and V's bytes limit least (decode_few_rows_ and decode_bulk_h200_2026-11-29.csv). FA-2's
// warps without rows rest, so that blocks which share a multiprocessor take each other less time: with a quarter of the
// rows a visit is as long as a lone block's. Not modelled: clocks that fall in long calls.
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
  double item_us[4] = {}, visit_us[4] = {};  // with 1 to 4 blocks on each multiprocessor, until each has done one
  // Of item_us with as many blocks as fit: what a block takes longer that follows another one in its place. The first
  // blocks of a launch do not wait for it.
  double handover_us = 0;
  double visit_of_groups[2] = {1, 1};  // share of visit_us where only the first, or the first two, warpgroups have rows

  double visit_share(std::int64_t rows_present) const;  // of visit_us
  // Of `together` blocks on a multiprocessor, each with this many rows of its tile.
  double visit_us_of(int together, std::int64_t rows_present) const;
  double item_share(std::int64_t rows_present) const { return tilewalk::item_share(rows_present, rows); }  // of item_us
};

// Null where this build, or a card of this generation, was not measured: its pace is then derived
// (core/chip/visit_pace). The builds of few rows are those of the choice's variant; other builds are known by their
// tile.
const FastPace* pace_of_build(Contender kernel, const fast::BuildChoice&, const DeviceModel&);
const FastPace* pace_of_build(Contender kernel, const fast::BuildPace&, const DeviceModel&);

// Columns of K and V whose bytes a build of few rows copies, 0 for other builds: those of the head, in 16-byte chunks.
// Copies by threads to rows of an even number of chunks take as long as one chunk more, since those rows are padded in
// shared memory (decode_few_rows_h200_2026-11-29.csv: d = 16 as 24, 32 as 40, 48 as 56).
std::int64_t copied_columns(const fast::BuildChoice&, std::int64_t d);

}  // namespace tilewalk
