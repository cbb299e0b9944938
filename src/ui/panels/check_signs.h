// The signs of a check: against the GPU, and of the distance from float64. Distinguished by shape as well as colour.
#pragma once

#include "ui/draw.h"
#include "view/walk/accuracy_model.h"
#include "view/walk/verify_model.h"

namespace tilewalk {

draw::Sign sign_of(BadgeKind);     // check, dot, ring, dash, alert, cross
draw::Sign sign_of(AccuracyMark);  // check, cross, dash
ImU32 ink_of(AccuracyMark, const Palette&);

}  // namespace tilewalk
