// What a person writes down at each phase of a schedule: the quantity, the shape of its table, where the replay keeps
// it, and the formula it comes by. Asked by phase and by where the schedule's weights come from, so a new schedule made
// of known phases is on paper by itself.
#pragma once

#include <string>
#include <vector>

#include "core/values/state.h"
#include "core/walk/schedule.h"

namespace tilewalk {

enum class PaperShape {
  Row,      // a number for each row of the Q tile
  Scores,   // rows × columns
  Rows,     // rows × d
  Columns,  // columns × d: of the KV tile
};

struct PaperQuantity {
  std::string letter;  // "tile max", "P"
  PaperShape shape{};
  std::vector<float> State::*values = nullptr;
  std::string formula;      // empty: it is given
  bool log2_units = false;  // kept so; shown in the problem's own
};

// What the step, the one that led to the state, makes; in the order in which it is made.
std::vector<PaperQuantity> made_by(const Schedule&, const State&);
// What it takes in that no step of the pass makes: what the forward pass left.
std::vector<PaperQuantity> given_to(const Schedule&, const Step&);

}  // namespace tilewalk
