// Sentences of a lesson, wrapped at words: letters of the paper in their hues, strong words in bold, code in monospace.
#pragma once

#include "session/lesson/lesson_text.h"
#include "ui/draw.h"

namespace tilewalk {

enum class Letters { Reading, Body };  // Body: those of buttons, where space is short

// Returns the height used. Draws nothing if list is null.
float rich_paragraph(ImDrawList*, const Theme&, float x, float y, float width, ImU32 ink, const Sentence&,
                     Letters = Letters::Reading);

}  // namespace tilewalk
