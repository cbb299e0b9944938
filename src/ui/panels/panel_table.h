// The panels, a row each, in the order in which they are drawn: on which page a panel stands, where in the layout, and
// what draws it. The interface draws from this table and `render --panel` cuts by it. A new panel is a file with its
// function and a row in panel_table.cpp; one that has a page to itself lies in Layout::page. Invariant: no two rows
// have one id.
#pragma once

#include <optional>
#include <vector>

#include "ui/panel.h"

namespace tilewalk {

struct PanelRow {
  const char* id;            // as --panel takes it
  std::optional<Page> page;  // none: on every page
  draw::Rect (*place)(const Layout&);
  void (*draw)(const UiFrame&, Panel&);
  Scroll scroll = Scroll::ByWheel;
  bool (*shown)(const Views&) = nullptr;  // none: always, on its page
};

const std::vector<PanelRow>& panel_table();
bool stands_on(const PanelRow&, Page, const Views&);
const PanelRow* find_panel(const std::string& id);  // null: there is none
std::string panel_names(Page);                      // "header, memory, scores, side, transport, traffic"

}  // namespace tilewalk
