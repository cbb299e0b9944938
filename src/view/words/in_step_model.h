// The two sides of a comparison in step: the cursor of the pinned one while the other walks, and the progress of each.
#pragma once

#include <string>

#include "core/chip/timeline.h"
#include "core/walk/in_step.h"

namespace tilewalk {

// "4 of 10 tile visits · 1.02 of 1.81 KiB · 1.2 of 3.4 kFLOP"
std::string so_far_text(const WalkProgress&);

// By modelled time: the cursor of the pinned thread block after the cycles that the current one took up to its cursor.
// Both timelines show one thread block; steps outside them count as its start or its end.
std::int64_t cursor_at_the_same_cycle(const Timeline& now, std::int64_t cursor, const Timeline& pinned);

// "in step by tile"; tiles of two sizes are in step by their scores: "in step by tile: 2 of Naive, 1 of FA-2". By
// modelled time beside a schedule without lanes: that the two are in step by tile, and why.
std::string pace_text(Pace, const Problem& pinned, const Problem& now);
std::string pace_tip(Pace, const Problem& pinned, const Problem& now);  // the meaning, and how to choose another

}  // namespace tilewalk
