// The step that divides O by ℓ, for a room: the rows of O before the division stand beside the divided tile.
#pragma once

#include "view/present/present_model.h"

namespace tilewalk {

// True if the step divides the tile of O by ℓ and does nothing else with it.
bool divides_output(const Problem&, const State&, const PresentTile&);
// The rows of O before the division, beside the ℓ that divides them: "1.03 … / 1.62".
PresentTable undivided_table(const Problem&, const State&, const PresentTile&);

}  // namespace tilewalk
