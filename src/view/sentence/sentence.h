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

// The row (within the Q tile) that the sentence describes, the same at every step of a visit: the one whose running max
// this tile raises most, else the last. -1 if none.
std::int64_t spoken_row(const Problem&, const State&);
// True if the sentence names that row. Sentences of loads and stores name none; those of dK and dV name rows of a KV
// tile.
bool names_spoken_row(const Problem&, const State&);
// What the sentence names or quotes; −1: nothing.
struct NamedCell {
  std::int64_t row = -1, col = -1;  // of the matrix; a row may be named without a column
  std::int64_t key = -1;            // the row of K or V whose gradient it quotes
  std::int64_t head_col = -1;       // the column of the output that it quotes
};
NamedCell named_cell(const Problem&, const State&);

}  // namespace tilewalk
