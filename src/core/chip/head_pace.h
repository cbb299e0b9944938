// The pace of FA-1's builds in kernels/fast, whose thread blocks walk whole heads, each measured alone: a round (the
// loads of one KV tile), a visit of a Q tile in it, and the time that a launch's first thread blocks take longer.
//
// Source: assets/measurements/pace_heads_h200_2026-11-29.csv (kernels/fast/scripts/bench_launches.py, heads): 132 or
// 264 heads, 16 to 2,048 rows, 3 to 9 rounds; least squares of relative errors. Under a mask: launches whose rows see
// all keys but those of the last round (bottom right); a masked visit is as long as another one in that build.
// A block alone on its SM is slower where few SMs have one: lone_share, rows of 1,100 to 3,900 in five rounds. The
// cause is not known. It was measured on an H200 alone, so other cards have no share. All times are microseconds: FA-1
// draws so little power that the clock stays at its top, so an H100 is assumed to take as long, but for its memory in a
// round. Where query heads share K and V, L2 serves part of a round's loads, and a lone Q tile with few rows loads and
// stores less of O (pace_shared_heads_h200_2026-11-30.csv). Not modelled: which SMs are slow.
#pragma once

#include "core/problem/device_model.h"
#include "core/problem/problem.h"

namespace tilewalk {

struct HeadPace {
  std::int64_t d = 0;
  double first_us[2] = {};                    // once a launch with a block on every SM; with two
  double round_us[2] = {}, visit_us[2] = {};  // until each of one or two blocks on an SM has done one
  double causal_us[2] = {};                   // a visit under a causal mask takes longer
  double column_us[2] = {};                   // less, for each column of the build that the head lacks
  double lone_share[5] = {};                  // of visit_us, up to 2, 8, 22, 36 and 100 thread blocks

  double visit(const Problem&, const DeviceModel&, int together) const;  // microseconds
  double round(const Problem&, const DeviceModel&, int together) const;
  double first(const Problem&, const DeviceModel&) const;
};

// Null where no build has the problem's schedule and tiles, or a card of this generation was not measured.
const HeadPace* head_pace(const Problem&, const DeviceModel&);

}  // namespace tilewalk
