// Where the panels lie. A pure function of the framebuffer, the scale and the splits; works from 1280×720 to 3840×2160
// and for text from 80 % to 300 %: panels take a larger share as text grows, and scroll when that is not enough.
#pragma once

#include "ui/draw.h"
#include "view/views.h"

namespace tilewalk {

struct Splits {  // what a person has dragged; factors on the designed sizes
  float left = 1, right = 1, bottom = 1;
  bool operator==(const Splits&) const = default;
};

struct RailRoom {      // what a lesson that is open needs
  bool open = false;   // it stands at the left of every page
  bool memory = true;  // the screen speaks of the two memories: they keep a place where room is scarce
  bool sram = true;    // and of the small one, which stands below
};

RailRoom rail_room(const Session&);

struct Layout {
  draw::Rect whole;         // the window
  draw::Rect header, page;  // page: all below the header, right of the rail
  draw::Rect rail;          // empty unless a lesson is open
  draw::Rect memory, scores, side, transport, traffic;
  draw::Rect lanes, waves_left, waves_right, compare;            // the page of comparison
  draw::Rect race_head, race_bars, race_curves, race_predicted;  // the page of the race
  draw::Rect roofline_head, roofline_plot, roofline_guess, roofline_wins, roofline_table;
  draw::Rect which_call, which_cards, which_so, which_names;  // the page of which attention runs
  draw::Rect split_left, split_right, split_bottom;           // the gaps that can be dragged
};

// Scale of the interface for a framebuffer: 1 at 1600×900. Never below 0.85.
float automatic_scale(int width, int height);

Layout compute_layout(float width, float height, float ui_scale, float text_scale, const Splits&, const RailRoom& = {});
ViewRoom room_of(const Layout&, const Theme&, bool holds_matrix = false);

// The part of the panel of scores that the matrix may use; the bars of tiles lie left of it and above.
draw::Rect scores_area(const draw::Rect& panel, const Theme&);
float legend_width(const Theme&);                          // of done, now, masked, skipped, to do
bool legend_below(const draw::Rect& panel, const Theme&);  // it has no room beside the title
bool foot_folded(const draw::Rect& panel, const Theme&);   // what cells show stands above the buttons, not beside them
float figure_width(const Theme&);                          // "−0.00", as cells and values of Q and K write it
draw::Rect lanes_area(const draw::Rect& panel, const Theme&);    // where boxes lie, right of the names
draw::Rect squares_area(const draw::Rect& panel, const Theme&);  // one square an SM
draw::Rect timeline_area(const draw::Rect& panel, const Theme&);
bool words_below(float width, float s, float e);  // of the transport: they have no room beside its buttons

}  // namespace tilewalk
