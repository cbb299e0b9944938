// The signs of a check: against the GPU, and of the distance from float64. Distinguished by shape as well as colour.
#pragma once

#include "ui/draw.h"
#include "ui/ui.h"
#include "view/walk/accuracy_model.h"
#include "view/walk/verify_model.h"

namespace tilewalk {

draw::Sign sign_of(BadgeKind);     // check, dot, ring, dash, alert, cross
draw::Sign sign_of(AccuracyMark);  // check, cross, dash
ImU32 ink_of(AccuracyMark, const Palette&);

// A number that a deliberate mistake changes is red, with a cross; amber, with "!", where the walk's result is right.
ImU32 ink_of_mistake(const UiFrame&, const Palette&);
ImU32 fill_of_mistake(const UiFrame&, const Palette&);
draw::Sign sign_of_mistake(const UiFrame&);

}  // namespace tilewalk
