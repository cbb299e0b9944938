// The walk as a strip: one box for each tile visit (a narrower one for a skipped tile), grouped by outer tile, pass and
// head. Where
// boxes would be narrower than a few pixels, columns of the strip instead, so that the cost depends on pixels, not on
// steps. Also the transport's words for the current visit and phase.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "core/replay/replay.h"
#include "core/walk/schedule.h"
#include "trace/verdict.h"
#include "view/walk/verify_model.h"
#include "view/words/shown_texts.h"

namespace tilewalk {

struct TimelineBox {
  float x0 = 0, x1 = 0;                       // fractions of the strip
  std::int64_t first_step = 0, end_step = 0;  // [first, end); equal for a skipped tile, at its place
  bool skipped = false, done = false, now = false;
  VisitCheck check = VisitCheck::Unknown;
  std::int64_t q_tile = 0, kv_tile = -1;  // −1: a pass over whole rows
};

struct TimelineGroup {   // some boxes with one label above them
  float x0 = 0, x1 = 0;  // fractions of the strip
  std::string label;     // "Q2"; of several passes each one's name
  bool now = false;
};

struct TimelineModel {
  std::vector<TimelineBox> boxes;     // empty when folded
  std::vector<TimelineGroup> groups;  // likewise
  double caret = 0;                   // fraction of the current step, also between the boxes
  bool folded = false;
  std::vector<float> marks;  // folded: fractions where heads or passes begin
  double done = 0;           // folded: fraction of the walk that is done
  double diverged = -1;      // folded: fraction where values first differ; −1 if nowhere
  std::int64_t step_count = 0, cursor = 0;
  std::string visit_text;  // "Tile visit 5 of 10"
  std::string phase_text;  // "phase 5 of 8: rescale"
  std::string step_text;   // "step 14 of 96"

  std::int64_t cursor_at(double fraction) const;  // for scrubbing: the cursor at a position of the strip
};

TimelineModel build_timeline_model(const Schedule&, const State&, const CheckReport&, double width_px,
                                   double box_min_px = 5);

void add_texts(ShownTexts&, const TimelineModel&);

}  // namespace tilewalk
