// What draws each panel, one file each, named after the view model that it paints. panel_table.h says where they stand.
#pragma once

#include "ui/panel.h"
#include "ui/widgets.h"

namespace tilewalk {

void draw_header_panel(const UiFrame&, Panel&);
void draw_memory_panel(const UiFrame&, Panel&);
void draw_scores_panel(const UiFrame&, Panel&);
void draw_side_panel(const UiFrame&, Panel&);  // the column at the right, which the next three share
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
void draw_transport_panel(const UiFrame&, Panel&);
void draw_traffic_panel(const UiFrame&, Panel&);
void draw_lanes_panel(const UiFrame&, Panel&);  // these make the page of comparison
void draw_pinned_waves_panel(const UiFrame&, Panel&);
void draw_waves_now_panel(const UiFrame&, Panel&);
void draw_split_k_panel(const UiFrame&, Panel&);  // these two in place of those two
void draw_split_q_panel(const UiFrame&, Panel&);
float draw_filling_choice(const UiFrame&, Panel&);  // "SMs | warps"; returns the width it takes
void draw_compare_panel(const UiFrame&, Panel&);
void draw_race_panel(const UiFrame&, Panel&);
void draw_race_bars_panel(const UiFrame&, Panel&);
void draw_race_curves_panel(const UiFrame&, Panel&);
void draw_message_panel(const UiFrame&);
void draw_dialogs(const UiFrame&);
void draw_problem_dialog(const UiFrame&);

}  // namespace tilewalk
