// While the tour of the first minute runs: its chapter, how much of its time has passed, and a button that ends it. It
// is above the pictures, which are presented.
#pragma once

#include "ui/panel.h"

namespace tilewalk {

void draw_tour_strip(const UiFrame&, Panel&, const draw::Rect& place);

}  // namespace tilewalk
