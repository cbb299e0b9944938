// The positions of the panels: a pure function of the framebuffer's size, the scales and the splits. Works from
// 1280×720 to 3840×2160 and for text from 80 % to 300 %: panels take a larger share as text grows, and scroll when that
// is not enough.
#pragma once

#include <algorithm>

#include "ui/draw.h"
#include "view/views.h"

namespace tilewalk {

struct Splits {  // dragged by the user; factors of the designed sizes
  float left = 1, right = 1, bottom = 1;
  bool operator==(const Splits&) const = default;
};

enum class LessonPicturePlace { None, Page, Matrix };

struct LessonPanelRoom {   // the space that the open lesson needs, and that the page leaves
  bool open = false;       // the lesson panel is at the left of every page
  bool memory = true;      // the screen speaks of the two memories: they stay visible in little space
  bool sram = true;        // also of the small one, which is below
  bool strip = true;       // the page has the strip of schedules above the matrix
  bool presented = false;  // the page covers the window, for a class
  bool lanes = false;      // the page of comparison shows its lanes alone
  bool warps = false;      // the page of comparison shows warps, large
  bool lab_run = true;     // the page of the lab has a run
  LessonPicturePlace picture = LessonPicturePlace::None;  // of the screen; work by hand needs the numbers beside it
};

LessonPanelRoom lesson_panel_room(const Session&);  // for the page on screen

struct PageScale {              // the inputs of a page's layout, beside Layout::page
  float ui = 1, s = 1, e = 1;   // ui: of the interface; s: with that of text; e: of letters (draw.h)
  float gap = 0;                // between panels
  float width = 0, height = 0;  // of the window, right of the lesson panel
  float grow = 1;               // factor by which larger text widens a column
  bool scarce = false;          // little space for the letters
  bool stacked = false;         // less still: panels are one below the other, and the page scrolls
};

// A width that grows with text, up to a maximum.
inline float share(float base, float grow, float most) { return std::min(base * std::max(1.0f, grow), most); }

struct Layout {
  draw::Rect whole;           // the window
  draw::Rect header, page;    // page: everything below the header, right of the lesson panel
  draw::Rect lesson_panel;    // empty unless a lesson is open
  draw::Rect lesson_picture;  // in the place of the page or of the matrix; empty where its screen has none
  draw::Rect schedules;       // the strip above the matrix
  draw::Rect memory, scores, side, transport, traffic;
  // The part of a stacked page of the walk that scrolls; empty otherwise. Panels in its columns have places below one
  // another, from its top on and beyond its end.
  draw::Rect flow;
  draw::Rect split_left, split_right, split_bottom;  // the gaps that can be dragged
  bool presented = false;                            // the page, to a class: its panels have places of their own
  bool lanes_alone = false, warps = false;           // of the page of comparison
  bool lab_run = true;                               // the page of the lab has a run
  PageScale scale;
};

// Scale of the interface for a framebuffer: 1 at 1600×900, 1.15 at 1920×1080, 2.05 at 3840×2160. Never below 0.85.
float automatic_scale(int width, int height);

Layout compute_layout(float width, float height, float ui_scale, float text_scale, const Splits&,
                      const LessonPanelRoom& = {});
// The layout of the walk alone, for a square picture: the memories, the numbers and the sentence above the matrix.
Layout post_layout(float width, float height, float ui_scale, float text_scale);
// True for such a layout. Nobody clicks what it shows: it has no transport, and panels leave out their buttons.
inline bool is_post_layout(const Layout& layout) { return layout.transport.height() <= 0; }
// The space of the page of the walk and of presenting; for all pages: room_of, in ui/panels/panel_table.h.
ViewRoom walk_room_of(const Layout&, const Theme&, bool holds_matrix);

float strip_height(const PageScale&);  // of schedules and the problem

// The part of the panel of scores for the matrix; the bars of tiles are left of it and above.
draw::Rect scores_area(const draw::Rect& panel, const Theme&);
float legend_width(const Theme&);                          // of done, now, masked, skipped, to do
bool legend_below(const draw::Rect& panel, const Theme&);  // it does not fit beside the title
// False where a line of its own below the title would leave too little height for the rows of a tile.
bool has_legend(const draw::Rect& panel, const Theme&);
bool foot_folded(const draw::Rect& panel, const Theme&);  // the choice of cells is above the buttons, not beside them
float figure_width(const Theme&);                         // of "−0.00", the form in cells and values of Q and K
draw::Rect timeline_area(const Layout&, const Theme&);    // in the transport
// True where the transport's words do not fit beside its buttons.
bool words_below(float width, float s, float e);
// In a stacked page the transport is its buttons, in the lowest windows without the timeline. The lines of the checks
// are below the traffic then.
inline bool is_compact(const Layout& layout) { return layout.flow.width() > 0; }
bool has_timeline(const Layout&, const Theme&);

}  // namespace tilewalk
