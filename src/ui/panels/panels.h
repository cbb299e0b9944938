// Every panel, one file each, named after the view model that it paints.
#pragma once

#include "ui/panel.h"

namespace tilewalk {

void draw_header_panel(const UiFrame&);
void draw_memory_panel(const UiFrame&);
void draw_tile_grid_panel(const UiFrame&);
void draw_softmax_panel(const UiFrame&, Panel&);  // these three share the column at the right
void draw_o_tile_panel(const UiFrame&, Panel&);
void draw_code_panel(const UiFrame&, Panel&);
void draw_timeline_panel(const UiFrame&);
void draw_counters_panel(const UiFrame&);
void draw_lanes_panel(const UiFrame&);  // these make the page of comparison
void draw_waves_panels(const UiFrame&);
void draw_warps_panels(const UiFrame&);                  // in place of those two
float draw_filling_choice(const UiFrame&, Panel&);       // "SMs | warps"; returns the width it takes
void draw_compare_panel(const UiFrame&);
void draw_dialogs(const UiFrame&);
void draw_problem_dialog(const UiFrame&);

}  // namespace tilewalk
