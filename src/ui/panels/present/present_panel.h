// The page of presenting; it uses the whole window, the header's place included.
#pragma once

#include "ui/ui.h"

namespace tilewalk {

void draw_present_panel(const UiFrame&);

}  // namespace tilewalk
