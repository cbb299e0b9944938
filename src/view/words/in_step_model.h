// The two sides of a comparison, walked in step: where the pinned one stands while the other walks, and how far each
// has come.
#pragma once

#include <string>

#include "core/chip/timeline.h"
#include "core/walk/in_step.h"

namespace tilewalk {

// "4 of 10 tile visits · 1.02 of 1.81 KiB · 1.2 of 3.4 kFLOP"
std::string so_far_text(const WalkProgress&);

// By modelled time: as far as the pinned thread block gets in the cycles that the one at hand has taken at its cursor.
// Both timelines show one thread block; steps outside them count as its start or its end.
std::int64_t cursor_at_the_same_cycle(const Timeline& now, std::int64_t cursor, const Timeline& pinned);

std::string pace_text(Pace);  // "in step by tile"
std::string pace_tip(Pace);   // what that means, and how to choose another

}  // namespace tilewalk
