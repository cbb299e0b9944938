// The tile at hand as the zoom shows it: its scores, and the one of them that the zoom begins with.
#pragma once

#include "pages/walk/endless_zoom_model.h"

namespace tilewalk {

inline constexpr int kMostZoomCells = 32;  // cells along a side; a larger tile is shown as blocks of scores

// The score is the one that the step's sentence names, else the last of its row that the mask keeps.
ZoomTile build_zoom_tile(const Session&);

}  // namespace tilewalk
