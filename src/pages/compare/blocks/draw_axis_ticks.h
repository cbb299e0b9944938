// An axis of ticks below bars or lanes.
#pragma once

#include <string>

#include "pages/compare/blocks/axis_ticks.h"
#include "ui/panels/panels.h"

namespace tilewalk {

float axis_high(const Panel&);

// From x0 to x1 at the pen, which it moves below; the unit is in the column of names. A text that has no space is left
// out.
void draw_axis(const UiFrame&, Panel&, const TickedAxis&, const std::string& id, float x0, float x1);

}  // namespace tilewalk
