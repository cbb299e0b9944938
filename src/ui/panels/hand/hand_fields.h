// Fields of work by hand, each drawn at the place of its number: an input with the focus ring while it is open, coral
// after a wrong answer, the number with a tick once it is known. read_keys handles their keys: letters and digits go to
// the text, all others to the focused field.
#pragma once

#include "ui/panel.h"
#include "ui/widgets.h"

namespace tilewalk {

// Draws the field of that place; false where there is none.
bool draw_hand_field(const UiFrame&, const HandPlace&, const draw::Rect&, const Font&);

// The switch of work by hand, at the right of the caption, where the header has no space for it. Returns its width.
float draw_hand_switch(const UiFrame&, Panel&);

// A row of buttons: check, hint, show, and the choice of rows and quantities. Returns its height, 0 while work by hand
// is off.
float hand_strip_height(const UiFrame&, float s);
void draw_hand_strip(const UiFrame&, Panel&);

}  // namespace tilewalk
