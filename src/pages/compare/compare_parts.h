// What panels of the page of comparison draw for one another.
#pragma once

#include "ui/panel.h"

namespace tilewalk {

void draw_launch_bars(const UiFrame&, Panel&);      // of backward passes, in place of lanes
float draw_filling_choice(const UiFrame&, Panel&);  // "SMs | warps"; returns the width it takes

}  // namespace tilewalk
