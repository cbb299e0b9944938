// The note between the two memories while nothing crosses: "nothing crosses: 992 B so far". In the largest letters in
// which all of it has room, on one line or, from its colon on, on two; where it has no room, up to its colon.
#pragma once

#include <string>

#include "ui/panel.h"

namespace tilewalk {

void draw_crossing_note(const UiFrame&, Panel&, const draw::Rect& area, const std::string& note);

}  // namespace tilewalk
