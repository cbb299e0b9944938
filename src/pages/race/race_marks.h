// A kernel's mark in the panels of the race, and rows of figures after marks.
#pragma once

#include <string>
#include <vector>

#include "pages/race/race_model.h"
#include "ui/panel.h"
#include "ui/widgets.h"

namespace tilewalk {

ImU32 colour_of(const Palette&, const RaceLook&);
draw::Sign sign_of_missing(bool no_memory);  // of a row without a figure: memory was too small, or it is not reported
void draw_mark(const Panel&, const RaceLook&, const ImVec2& at, float radius);

// A mark with the name of its rung, and figures. The rows share the panel's height. below: height of what follows.
void draw_race_rows(const UiFrame&, Panel&, const std::vector<std::string>& heads, const std::vector<RaceLine>&,
                    float below);

}  // namespace tilewalk
