// The pace of the backward kernels in kernels/fast on Hopper, each build measured alone: the thread block's item (its
// loads of K and V, first products, stores of dK and dV), its visit of one tile of queries, and what a call takes
// beside, without launches and without the bytes of the kernels before and after.
//
// Source: assets/measurements/pace_backward_h100_2026-11-27.csv (kernels/fast/scripts/bench_launches.py): 12 heads,
// whole waves of KV tiles, no mask, 1 to 24 tiles of queries; least squares of relative errors. FA-3 up to 12 tiles.
// A head's last tile may have fewer keys: its item is shorter (core/chip/fast_pace), its visits are not
// (pace_fewer_backward_h200_2026-11-29.csv).
// Not here: FA-3 above d = 128, where a second kernel computes dQ.
#pragma once

#include <cstdint>

#include "core/problem/contender.h"
#include "core/problem/device_model.h"

namespace tilewalk {

struct BackwardPace {
  Contender kernel{};
  std::int64_t d = 0;
  int blocks = 1;  // thread blocks that share a multiprocessor
  double first_us = 0, item_us = 0, visit_us = 0;
};

// Null where the build, or the card's rate of products, was not measured: with a rate that somebody typed the pace of
// another card would be faster than the products.
const BackwardPace* backward_pace(Contender kernel, std::int64_t built_d, const DeviceModel&);

}  // namespace tilewalk
