// The timeline: a box for each tile visit, with a mark below it, and the place of the current step.
#pragma once

#include "ui/panels/panels.h"

namespace tilewalk {

void draw_timeline_strip(const UiFrame&, Panel&);

}  // namespace tilewalk
