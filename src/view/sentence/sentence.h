// One plain sentence (or two) about the last step, with its live numbers. Convention in all of Tilewalk: sentence and
// highlight describe state.step, the step just done; at cursor 0 they describe the first step. Numbers are in the units
// of view/words/units.h. "e^(…)" is written on one line; a panel may raise the exponent. Precondition: the state
// belongs to the schedule.
#pragma once

#include <string>

#include "core/replay/replay.h"
#include "core/walk/schedule.h"

namespace tilewalk {

std::string step_sentence(const Schedule&, const State&);

// Seconds of a step's motion while playing at 1×, by the length of its sentence: 1.5 to 2.5.
double reading_seconds(const Schedule&, const State&);

// The cost of the step: "reads 64 B · writes 0 B · 4 exp, 20 other · on chip".
std::string step_cost_text(const Schedule&, const State&);

// The purpose of such a step of this schedule, without numbers: "Rescale: α brings what was summed against the old max
// onto the new one."
std::string phase_purpose(const Schedule&, const Step&);

// True for a step that changes no value for this problem: a mask where there is none.
bool changes_nothing(const Schedule&, const Step&);

}  // namespace tilewalk
