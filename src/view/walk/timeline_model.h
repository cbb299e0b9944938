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
#include "view/walk/wrong_visits.h"
#include "view/words/shown_texts.h"

namespace tilewalk {

struct TimelineBox {
  float x0 = 0, x1 = 0;                       // fractions of the strip
  std::int64_t first_step = 0, end_step = 0;  // [first, end); equal for a skipped tile, at its place
  bool skipped = false, done = false, now = false;
  VisitCheck check = VisitCheck::Unknown;
  bool wrong_now = false;  // the current one: a mistake has made a number wrong, though its visit goes on
  double heals_at = 0;     // of the healing's t: the mark of a mistake is there before it; 0: there is none
  std::int64_t q_tile = 0, kv_tile = -1;  // −1: a pass over whole rows
};

// The mark below a box, `healed` of the way through the healing of a mistake.
VisitCheck mark_of(const TimelineBox&, double healed);
// For a moment after its mark has turned back: the box is green.
bool has_just_healed(const TimelineBox&, double healed);

struct TimelineGroup {   // some boxes with one label above them
  float x0 = 0, x1 = 0;  // fractions of the strip
  std::string label;     // "Q2"; of several passes each one's name
  bool now = false;
};

struct TimelineModel {
  std::vector<TimelineBox> boxes;     // empty when folded
  std::vector<TimelineGroup> groups;  // of a folded strip its passes, or several heads
  double caret = 0;                   // fraction of the current step, also between the boxes
  bool folded = false;
  std::vector<float> marks;  // folded: fractions where heads or passes begin
  std::int64_t failed = 0;   // completed visits that a mistake changed
  double done = 0;           // folded: fraction of the walk that is done
  std::string share;         // folded: "0.0019 % of the walk"; empty when all is done
  double diverged = -1;      // folded: fraction where values first differ; −1 if nowhere
  std::int64_t step_count = 0, cursor = 0;
  std::string visit_text;  // "Tile visit 5 of 10"
  std::string phase_text;  // "phase 5 of 8: rescale"
  std::string step_text;   // "step 14 of 96"
  std::string heal_text;   // while a mistake is taken back, in place of these: "Right again, from the last visit back"

  std::int64_t cursor_at(double fraction) const;  // for scrubbing: the cursor at a position of the strip
};

TimelineModel build_timeline_model(const Schedule&, const State&, const CheckReport&, double width_px,
                                   double box_min_px = 5);

// Marks the completed visits that a mistake changed; a folded strip has no marks. While the mistake is healed they turn
// back one after the other, from the last to the first.
void mark_wrong_visits(TimelineModel&, const WrongVisits&);

void add_texts(ShownTexts&, const TimelineModel&);

}  // namespace tilewalk
