// The page of presenting; it takes the whole window, header and all.
#pragma once

#include "ui/ui.h"

namespace tilewalk {

void draw_present_panel(const UiFrame&);

}  // namespace tilewalk
