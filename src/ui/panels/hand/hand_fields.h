// Fields for the numbers that are asked for by hand, each drawn where the number stands: an input with the focus ring
// while it is open, coral after a wrong answer, the number with a tick once it stands. Keys come by read_keys, which
// gives all but letters and digits to the field with the focus.
#pragma once

#include "ui/panel.h"
#include "ui/widgets.h"

namespace tilewalk {

// Draws the field that is asked for at that place; false where there is none.
bool draw_hand_field(const UiFrame&, const HandPlace&, const draw::Rect&, const Font&);

// Work by hand on or off, at the right of the caption, where the header has no room for that. Returns its width.
float draw_hand_switch(const UiFrame&, Panel&);

// Buttons to check, to hint, to show, and how much is asked: a row of its own. Returns its height, 0 while it is off.
float hand_strip_height(const UiFrame&, float s);
void draw_hand_strip(const UiFrame&, Panel&);

}  // namespace tilewalk
