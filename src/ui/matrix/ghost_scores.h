// The score matrix as a picture: that of a schedule that stores it whole in HBM has solid cells; that which no memory
// stores has dots inside a dashed border, smaller ones where tiles are skipped.
#pragma once

#include "core/walk/schedule.h"
#include "ui/draw.h"
#include "ui/theme.h"

namespace tilewalk {

void draw_ghost_scores(ImDrawList*, const Palette&, const Schedule&, const draw::Rect&, float s);

}  // namespace tilewalk
