// One plain sentence (or two) that tells what the step just done did, with the live numbers in it. The convention,
// everywhere in Tilewalk: sentence and highlight tell what just happened, i.e. state.step; at cursor 0 they tell what
// comes first. Numbers are in the units of view/words/units.h. "e^(…)" is written on one line; a panel may raise the
// exponent. Precondition: the state belongs to the schedule.
#pragma once

#include <string>

#include "core/replay/replay.h"
#include "core/walk/schedule.h"

namespace tilewalk {

std::string step_sentence(const Schedule&, const State&);

// Seconds of its motion while playing at 1×, by the length of the sentence: 1.5 to 2.5.
double reading_seconds(const Schedule&, const State&);

// What it cost: "reads 64 B · writes 0 B · 4 exp, 20 other · on chip".
std::string step_cost_text(const Schedule&, const State&);

// What such a step of this schedule is for, without numbers: "Rescale: α brings what was summed against the old max
// onto the new one."
std::string phase_purpose(const Schedule&, const Step&);

// The row (within the Q tile) that the sentence speaks about: the one where most happened. -1 if none.
std::int64_t spoken_row(const State&);
// Whether the sentence names that row: those of loads and stores name none, those of dK and dV rows of a KV tile.
bool names_spoken_row(const State&);

}  // namespace tilewalk
