// The panels, a row each, in the order in which they are drawn: on which page a panel stands, where in the layout, and
// what draws it. The interface draws from this table and `render --panel` cuts by it. The rows of a page are given by
// <page>_panels() in src/pages/<page>; one that has a page to itself lies in Layout::page. Invariant: no two rows have
// one id.
#pragma once

#include <optional>
#include <vector>

#include "ui/panel.h"

namespace tilewalk {

struct PanelRow {
  const char* id;  // as --panel takes it
  draw::Rect (*place)(const Layout&);
  void (*draw)(const UiFrame&, Panel&);
  Scroll scroll = Scroll::ByWheel;
  bool (*shown)(const Views&) = nullptr;                                          // none: always, on its page
  void (*tell_room)(const draw::Rect& place, const Theme&, ViewRoom&) = nullptr;  // what view models must know of it
  std::optional<Page> page = {};                                                  // none: on every page
};

// The places of a page's panels: one part of the window's layout, or of the layout that the page makes of it.
template <draw::Rect Layout::*part>
draw::Rect placed(const Layout& layout) {
  return layout.*part;
}
template <auto page_layout, auto part>
draw::Rect placed(const Layout& layout) {
  return page_layout(layout).*part;
}

const std::vector<PanelRow>& panel_table();
bool stands_on(const PanelRow&, Page, const Views&);
const PanelRow* find_panel(const std::string& id);  // null: there is none
std::string panel_names(Page);                      // "header, memory, scores, side, transport, traffic"

// What all panels have to draw in.
ViewRoom room_of(const Layout&, const Theme&, bool holds_matrix = false);

}  // namespace tilewalk
