// The modelled timeline of one thread block as rectangles: one row for each lane, one box for each segment of work,
// hatched where a lane that computes waits; a lane that only loads or stores is idle then. One or two
// timelines below each other on one axis (view/walk/lanes_axis): the pinned one and the current one. Neighbouring boxes
// of a tile's softmax are joined. Where boxes would be narrower than a few pixels, columns replace them, so that the
// cost depends on pixels.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "core/chip/timeline.h"
#include "pages/compare/blocks/axis_ticks.h"
#include "pages/compare/blocks/lane_kinds.h"

namespace tilewalk {

struct LaneBox {
  double x0 = 0, x1 = 0;  // fractions of the axis
  LaneBoxKind kind = LaneBoxKind::Waiting;
  bool hatched = false;                       // waiting: not shown by colour alone
  bool now = false;                           // contains the step at the cursor
  bool folded = false;                        // several segments in one column; the kind is that of the longest
  std::string label;                          // "QKᵀ 0"
  std::string short_label;                    // shorter: "0"; none for loads, whose number alone is ambiguous
  std::string tip;                            // "QKᵀ, KV tile 0: cycles 1,589 to 2,101"
  std::int64_t first_step = 0, end_step = 0;  // a click goes to end_step; equal: no target
};

struct LaneRow {
  std::string name;  // empty for the second row of a lane
  std::vector<LaneBox> boxes;
};

struct LaneFold {  // a long wait of all lanes, drawn shorter than it is
  double x0 = 0, x1 = 0;
  std::vector<std::string> labels = {};  // "540 cycles waiting", "540 cycles", "540": the longest that fits
};

struct LaneWhole {                  // a bar as long as the whole call takes, relative to the longer call of the two
  double share = 0, from = 0;       // from: where it begins
  std::string name = {};            // "FA-2", or "launch 2"
  std::string text = {}, tip = {};  // "3.41 ms recorded, −87 % against FA-1"
};

struct LanesPicture {
  std::string title;                     // "Now: ping-pong, overlap · 4 stages"
  std::string cycles_text;               // "21,180 cycles", or "288 k cycles"
  std::string cycles_tip = {};           // "One thread block: 287,928 modelled cycles"
  std::optional<LaneWhole> whole = {};   // above the rows
  std::vector<LaneWhole> launches = {};  // instead of rows, where a schedule has no lanes
  std::vector<LaneRow> rows;
  std::string so_far;  // "4 of 10 tile visits · 1.02 KiB · 1.2 kFLOP"; may be empty
  std::vector<LaneFold> folds;
  bool goes_on = false;  // its work continues after the end of the axis, which is in view
  double cursor = -1;    // fraction where the step at the cursor ends; -1 if it is out of view
  std::string note;      // "the first 1,024 of 16,384 tile visits"; may be empty
};

struct LaneSwitch {
  LaneOption option = LaneOption::PingPong;
  std::string name;  // "ping-pong"
  bool on = false;
  bool refused = false;  // the other value would deadlock
  std::string saves;     // "saves 39 %"
};

struct LanesModel {
  std::vector<LanesPicture> pictures;  // pinned first; empty where the schedule has no lanes
  std::vector<LaneSwitch> switches;
  std::vector<std::pair<LaneBoxKind, std::string>> legend;
  std::optional<LaneBoxKind> only = {};  // the boxes of other kinds are faded
  TickedAxis cycles;                     // below the lanes, for all of them
  TickedAxis whole;                      // below the bars of the whole calls; without ticks where there are none
  std::string sentence;                  // the result, in numbers
  std::string empty_note;                // why there is nothing to draw
};

struct LanesSource {
  const Problem* problem = nullptr;
  const Timeline* timeline = nullptr;
  std::int64_t cursor = -1;  // of its own walk, in step; -1: not marked
};

struct LanesWindow {  // the visible part of the axis
  double begin = 0, end = 1;
  bool folds = false;  // long waiting is folded (lanes_axis.h)
  bool cut = false;    // the drawn work continues after its end, though nobody zoomed
};

std::vector<LaneSwitch> lane_switches(const std::vector<Removal>&);

// Without `removals` the switches show no savings. `cursor` counts steps of the walk.
LanesModel build_lanes_model(const LanesSource& now, const std::optional<LanesSource>& pinned,
                             const std::vector<Removal>& removals, std::int64_t cursor, double width_px,
                             double box_min_px = 3, LanesWindow window = {});

std::string lane_settings(const Problem&);   // "ping-pong, overlap · 4 stages"
std::string named_settings(const Problem&);  // after the schedule's title, where they are more than that

}  // namespace tilewalk
