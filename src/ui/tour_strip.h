// While the tour of the first minute runs: its chapter, how much of its time has passed, and a button that ends it. The
// walk has it in the place of its schedules, and the pipes in the place of their choices.
#pragma once

#include "ui/panel.h"

namespace tilewalk {

void draw_tour_strip(const UiFrame&, Panel&, const draw::Rect& place);

}  // namespace tilewalk
