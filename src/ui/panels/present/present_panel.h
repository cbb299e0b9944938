// The walk presented; it uses the whole window below `top`, the header's place included.
#pragma once

#include "ui/ui.h"

namespace tilewalk {

void draw_present_panel(const UiFrame&, float top);

}  // namespace tilewalk
