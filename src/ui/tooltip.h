// The tooltip of the window: words about the place under the pointer, or about the place that keyboard navigation is
// on. It appears once the pointer has rested for kTooltipSeconds and stays while its words stay the same. There is none
// while a mouse button is down, nor under a pointer that has not moved since the window or another page opened. It lies
// beside the current tile, and covers neither that nor the pointer where there is space. All panels use these
// functions, so at most one tooltip is on screen.
#pragma once

#include <cfloat>
#include <optional>
#include <string>
#include <string_view>

#include "ui/draw.h"

namespace tilewalk {

struct UiFrame;

constexpr double kTooltipSeconds = 0.35;

struct TooltipState {
  ImVec2 pointer = {-FLT_MAX, -FLT_MAX};
  bool entered = false;                         // the pointer has not moved since it came into the window or page
  int view = -1;                                // the page, and what covers it, in the frame before
  unsigned focus = 0;                           // the item that keyboard navigation is on; 0: the pointer was used last
  double rests_since = 0;                       // the pointer and the focus; seconds, as UiFrame::now
  bool pressed = false;                         // a mouse button is down
  std::string shown, shown_before;              // in this frame, in the frame before
  std::optional<double> due;                    // a tooltip waits for this time
  std::optional<draw::Rect> tile, tile_before;  // the current tile of the matrix, likewise
};

void begin_tooltips(const UiFrame&);  // once a frame, before all panels
void tooltip(const UiFrame&, std::string_view text);
// Right of that rectangle, or left of it, so that it stays visible.
void tooltip_beside(const UiFrame&, std::string_view text, const draw::Rect&);

}  // namespace tilewalk
