// Sentences of a lesson, broken at words: letters of the paper in their hues, what is strong in strong type, code in
// its own.
#pragma once

#include "ui/draw.h"
#include "view/learn/lesson_panel_model.h"

namespace tilewalk {

// Returns the height used. Draws nothing if list is null.
float rich_paragraph(ImDrawList*, const Theme&, float x, float y, float width, ImU32 ink, const Sentence&);

}  // namespace tilewalk
