// Draws the decision as a path: a trunk along PyTorch's order of backends, and a branch for each that it reaches, with
// its conditions as stops. The path of the call is thick; a refused branch ends at a cross and is hollow after it.
#pragma once

#include "pages/which/which_page.h"
#include "ui/panels/panels.h"

namespace tilewalk {

ImU32 verdict_ink(const Palette&, WhichVerdict);

// Draws it at the panel's y and moves y below it. with_reasons: false before a class has the answer: names and verdicts
// alone.
void draw_decision_path(const UiFrame&, Panel&, const WhichModel&, bool with_reasons);

}  // namespace tilewalk
