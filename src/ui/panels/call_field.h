// One field of a call: a tag that steps through a few choices, or a line to type in. Used by the list behind the
// header's call and by the page of which attention runs.
#pragma once

#include "ui/widgets.h"
#include "view/words/call_model.h"

namespace tilewalk {

// r: the place at the right of the label; a tag takes the width of its text. id: of the field among its siblings.
// focus: a line takes the keyboard in this frame.
void draw_call_field(const UiFrame&, const CallFieldModel&, const draw::Rect& r, const std::string& id,
                     bool focus = false);

}  // namespace tilewalk
