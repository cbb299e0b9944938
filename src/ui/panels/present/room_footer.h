// The foot of a page that is presented: one question for the class, in a lesson that of the screen with its choices and
// then its answer; the keys that work; and a way out for the mouse.
// Its letters are those of the presented page.
#pragma once

#include "ui/ui.h"

namespace tilewalk {

float room_footer_height(const UiFrame&);
void draw_room_footer(const UiFrame&, const draw::Rect&);

}  // namespace tilewalk
