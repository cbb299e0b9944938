// The buttons that walk, for pages that show the walk without its transport.
#pragma once

#include "ui/panel.h"

namespace tilewalk {

float draw_walk_buttons(const UiFrame&, Panel&, float x, float y);  // returns the right end

}  // namespace tilewalk
