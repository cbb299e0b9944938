// Parts of the race's model.
#pragma once

#include <vector>

#include "measured/race.h"
#include "pages/race/race_model.h"

namespace tilewalk {

// Badge, heading, ceilings and notes; the model's `recorded` is set.
void add_description(const Race&, RaceModel&);

// The columns are those of the offered metrics; the bars have rates and shares. The model does not know the local card.
// rows: of the bars, in their order; best: null where none counts.
void add_table(const Race&, const std::vector<const RaceRow*>& rows, const RaceRow* best, RaceModel&);

}  // namespace tilewalk
