// The colour of each kind of work in a lane.
#pragma once

#include "pages/compare/blocks/lane_kinds.h"
#include "ui/panel.h"

namespace tilewalk {

ImU32 colour_of(const Palette&, LaneBoxKind);

}  // namespace tilewalk
