// The panel of the page of the family tree.
#include "ui/panels/panel_table.h"

namespace tilewalk {

// Defined in the file of its name.
void draw_tree_panel(const UiFrame&, Panel&);

std::vector<PanelRow> tree_panels() {
  return {{.id = "tree", .place = placed<&Layout::page>, .draw = draw_tree_panel, .for_room = whole_room}};
}

}  // namespace tilewalk
