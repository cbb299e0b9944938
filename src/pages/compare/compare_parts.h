// Parts of the page of comparison that several panels draw.
#pragma once

#include "ui/panel.h"

namespace tilewalk {

void draw_launch_bars(const UiFrame&, Panel&);      // of backward passes, instead of lanes
float draw_filling_choice(const UiFrame&, Panel&);  // "SMs | warps"; returns its width

}  // namespace tilewalk
