// The panels, one row each, in the order of drawing: the page, the place in the layout, and the drawing function. The
// interface draws from this table, and `render --panel` crops by it. <page>_panels() in src/pages/<page> returns the
// rows of a page; a panel that is alone on its page has the place Layout::page. Invariant: no two rows have one id.
#pragma once

#include <optional>
#include <vector>

#include "ui/panel.h"

namespace tilewalk {

struct PanelRow {
  const char* id;  // the argument of --panel
  draw::Rect (*place)(const Layout&);
  void (*draw)(const UiFrame&, Panel&);
  Scroll scroll = Scroll::ByWheel;
  bool (*shown)(const Views&) = nullptr;                                         // null: always, on its page
  void (*set_room)(const draw::Rect& place, const Theme&, ViewRoom&) = nullptr;  // its space, for view models
  std::optional<Page> page = {};                                                 // empty: on every page
  // Its height in a page whose panels are stacked (PageScale::stacked), before scaling; 0: it keeps its place.
  float stacked = 0;
  bool fits = false;                      // there it is as high as its contents, which do not depend on its height
  bool leads = false;                     // it is the first one there
  bool beside = false;                    // it keeps its columns there, beside the other panel that does
  bool flows = false;                     // its place may be in Layout::flow
  bool (*stops)(const Views&) = nullptr;  // Tab goes to it; null: always
  bool covers = false;                    // it takes the places of several other panels, which are not shown beside it
  bool lends = false;                     // where it is not shown, the panel beside or above it has its place too
  draw::Rect (*for_room)(const draw::Rect& room) = nullptr;  // its place where the page is presented; null: none
};

// The places of a page's panels: a part of the window's layout, or of the page's own layout.
template <draw::Rect Layout::*part>
draw::Rect placed(const Layout& layout) {
  return layout.*part;
}
template <auto page_layout, auto part>
draw::Rect placed(const Layout& layout) {
  return page_layout(layout).*part;
}

// Places in a presented page: all of it; a headline and the picture below it; two pictures side by side.
draw::Rect whole_room(const draw::Rect& room);
draw::Rect headline_of_room(const draw::Rect& room);
draw::Rect below_headline_of_room(const draw::Rect& room);
draw::Rect left_of_room(const draw::Rect& room);
draw::Rect right_of_room(const draw::Rect& room);

// The panels of a presented page that a class sees: of two that overlap the later one, and a single one in all of the
// room.
struct PlacedPanel {
  const PanelRow* row;
  draw::Rect place;
};
std::vector<PlacedPanel> panels_for_room(Page, const Views&, const draw::Rect& room);

// The window of a stacked page, which scrolls, and the place of a panel in it, with its top at y.
draw::Rect stack_of(const Layout&);
draw::Rect place_in_stack(const PanelRow&, const Layout&, const Theme&, float y);
draw::Rect place_on_screen(const PanelRow&, const Layout&, Page, const Views&);  // outside a stacked page
bool flows(const PanelRow&, const Layout&);                                      // its place is in Layout::flow

const std::vector<PanelRow>& panel_table();
bool is_on(const PanelRow&, Page, const Views&);
const PanelRow* find_panel(const std::string& id);  // null: there is none
std::string panel_names(Page);                      // "header, memory, scores, side, transport, traffic"

// The space of all panels for view models.
ViewRoom room_of(const Layout&, const Theme&, bool holds_matrix = false);

}  // namespace tilewalk
