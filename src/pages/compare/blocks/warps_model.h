// One score tile divided among the warps of a thread block, as FA-1 and as FA-2 or FA-3 do it: rectangles in the unit
// square, and the traffic of each through shared memory.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "core/chip/warps.h"
#include "pages/compare/blocks/warps_visit.h"
#include "session/document/compared_problems.h"

namespace tilewalk {

struct WarpRect {
  int warp = 0;
  double x0 = 0, y0 = 0, x1 = 0, y1 = 0;  // of the score tile: columns to the right, rows downwards
  std::string label;                      // "warp 0"
  std::string tip;                        // "warp 0: rows 0 to 127, keys 0 to 31"
};

struct WarpsSide {
  WarpScheme scheme{};
  int parts = 0;                     // of the tile: one for each warp, or for each consumer warpgroup
  bool by_warpgroups = false;        // of a schedule that multiplies by these, in split-Q
  WarpTotals totals;                 // of the whole run
  std::string title;                 // "FA-1 · keys divided: split-K"
  std::string owns;                  // "each warp: all 128 rows, 32 of 128 keys"
  bool reduces = false;              // parts of O are summed through shared memory
  std::string way = "in registers";  // where O is
  bool now = false;                  // the current schedule divides the tile like this
  std::vector<WarpRect> rects;
  std::string price;     // "34.5 KiB, 4 barriers": between the parts, at each visit
  std::string exchange;  // "34.0 KiB written, 36.0 KiB read between warps, a visit"
  std::string operands;  // "96.0 KiB of Q, K and V read, a visit"
  std::string barriers;  // "4 barriers a visit"
  std::vector<std::string> barrier_reasons;
  std::string figure;     // of the whole run: "10.2 MiB"
  std::string whole_run;  // after the figure: "between warps in the whole run, 3,200 barriers"
  std::string sentence;
  WarpsVisit visit;  // one of them, by the modelled lanes
  // Of a schedule with ping-pong: what it is, and the cycles that it saves by the model.
  std::string gain;
};

struct WarpsModel {
  std::vector<WarpsSide> sides;  // split-K, then split-Q
  // Of the page: split-K's bytes, "34.5 GiB"; both sides' in a sentence; and why.
  std::string figure, headline, sentence;
};

// The compared problem under another schedule, with the tiles that schedule has there.
using UnderSchedule = std::function<Problem(ScheduleKind)>;

// What each part of the tile does at t of one visit, in words: "warpgroups: 0 P·V 5 · 1 softmax 6".
std::string words_at(const WarpsSide&, double t);

// For a visit of a full tile: each scheme in the tiles of a schedule that divides so, which is the current one, else
// the baseline, else the first of its pass. baseline: null where it is none or breaks a rule.
WarpsModel build_warps_model(const Schedule& now, const Problem* baseline, const UnderSchedule&, int warps = 4);
// For one problem that is compared with no other.
WarpsModel build_warps_model(const Schedule& now, int warps = 4);

}  // namespace tilewalk
