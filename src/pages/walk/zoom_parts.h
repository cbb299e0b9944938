// The parts of the panel of the zoom.
#pragma once

#include "pages/walk/walk_page.h"
#include "ui/panels/panels.h"

namespace tilewalk {

// The fill of a level's scores. Nearer levels are darker; the current one has the accent.
ImU32 kept_fill(const Panel&, const EndlessZoomModel&, std::size_t level);
ImU32 skipped_fill(const Panel&, ImU32 kept);  // of scores that the mask skips
// The level whose fill the legend shows: the current one, or the smallest around a tile, which has no fill.
std::size_t legend_level(const EndlessZoomModel&);

void draw_zoom_picture(const UiFrame&, Panel&, const EndlessZoomModel&, const draw::Rect&);
// The score at hand fills the rectangle: its number, and how it is made where that has room.
void draw_zoom_score(const UiFrame&, Panel&, const ZoomTile&, const draw::Rect&);

}  // namespace tilewalk
