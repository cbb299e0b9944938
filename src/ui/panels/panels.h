// Every panel, one file each, named after the view model that it paints.
#pragma once

#include "ui/panel.h"

namespace tilewalk {

void draw_header_panel(const UiFrame&);
void draw_memory_panel(const UiFrame&);
void draw_tile_grid_panel(const UiFrame&);
void draw_side_panel(const UiFrame&);  // the column at the right, which the next three share
struct SideShares {
  float table_row, table_most;  // heights
  float sentence_least;
  float o_row_least, o_most;
};
void draw_softmax_panel(const UiFrame&, Panel&, const SideShares&);
float sentence_height(const UiFrame&, const Panel&, const SideShares&);
float table_height(const UiFrame&, const SideShares&);
void draw_o_tile_panel(const UiFrame&, Panel&, const SideShares&);
float o_row_height(const OTileModel&, const SideShares&);
std::int64_t o_rows_shown(const OTileModel&, const SideShares&);
void draw_code_panel(const UiFrame&, Panel&);
float code_line_height(const Theme&);
void draw_timeline_panel(const UiFrame&);
void draw_counters_panel(const UiFrame&);
void draw_lanes_panel(const UiFrame&);  // these make the page of comparison
void draw_waves_panels(const UiFrame&);
void draw_warps_panels(const UiFrame&);                  // in place of those two
float draw_filling_choice(const UiFrame&, Panel&);       // "SMs | warps"; returns the width it takes
void draw_compare_panel(const UiFrame&);
void draw_race_panels(const UiFrame&);
void draw_message_panel(const UiFrame&);
void draw_dialogs(const UiFrame&);
void draw_problem_dialog(const UiFrame&);

}  // namespace tilewalk
