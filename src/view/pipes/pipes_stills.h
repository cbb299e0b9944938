// States of the pipes that are worth a look, in step by byte: the lighter side at its end, and the heavier one in its
// second pass.
#pragma once

#include "session/session.h"
#include "view/pipes/pipes_model.h"

namespace tilewalk {

void add_stills(const Session&, PipesModel&);

}  // namespace tilewalk
