// States of the pipes that are worth a look, in step by byte: the lighter side at its end, and the heavier one in its
// second pass. of_walk: now is the walk; else the compared call.
#pragma once

#include "core/walk/schedule.h"
#include "view/pipes/pipes_model.h"

namespace tilewalk {

void add_stills(const Schedule& pinned, const Schedule& now, bool of_walk, PipesModel&);

}  // namespace tilewalk
