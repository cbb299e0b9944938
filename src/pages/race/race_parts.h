// Parts of the race's model.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "core/problem/contender.h"
#include "measured/race.h"
#include "pages/race/race_model.h"

namespace tilewalk {

// Badge, heading, ceilings and notes; the model's `recorded` is set.
void add_description(const Race&, RaceModel&);

bool is_pytorch(const RaceRow&);

// The pair of measured/win_pair.h at the raced call, and PyTorch's default there, or its fastest; nothing where one of
// the two has no row. Beside a recorded race of another call the figure is the call's. rows: of the bars; other: how
// the race differs from the call; the model's `recorded` is set.
void add_headline(const Race&, const std::vector<const RaceRow*>& rows, const std::string& other, const CallOfWindow&,
                  RaceModel&);

// The columns are those of the offered metrics; the bars have rates and shares. The model does not know the local card.
// rows: of the bars, in their order; best: null where none counts.
void add_table(const Race&, const std::vector<const RaceRow*>& rows, const RaceRow* best, RaceModel&);

}  // namespace tilewalk
