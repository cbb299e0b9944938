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

inline constexpr float kLeastSeen = 12;  // design pixels: a smaller tile has a ring around it
// Where the ring is, squares up to this size have no outline: theirs would cross it.
inline constexpr float kLeastBesideRing = 24;

inline constexpr float kZoomMargin = 8;  // design pixels in the picture, left of column 0 and above row 0

void draw_zoom_picture(const UiFrame&, Panel&, const EndlessZoomModel&, const draw::Rect&);
// The place of a level's square in that picture.
draw::Rect zoom_place(const UiFrame&, Panel&, const EndlessZoomModel&, const draw::Rect& picture, const ZoomLevel&);

// The names of the tiles, below the picture, with a line to each: a tile can be smaller than a pixel. The height keeps
// room for both tiles, whatever is in view.
float zoom_callouts_height(const Panel&, const EndlessZoomModel&);
void draw_zoom_callouts(const UiFrame&, Panel&, const EndlessZoomModel&, const draw::Rect& picture);

// What the colours and the outlines of the picture mean, from the left end of `row` on, in as many lines as that takes.
// brief: in fewer words. Returns its height; draws nothing if `draws` is false.
float draw_zoom_legend(const UiFrame&, Panel&, const EndlessZoomModel&, const draw::Rect& picture,
                       const draw::Rect& row, bool brief, bool draws);
// The score at hand fills the rectangle: its number, and how it is made where that has room.
void draw_zoom_score(const UiFrame&, Panel&, const ZoomTile&, const draw::Rect&);

}  // namespace tilewalk
