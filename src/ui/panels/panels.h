// Functions that draw parts of panels: of the column at the right, the message, the dialogs. One file for each, named
// after the view model that it draws.
#pragma once

#include "ui/panel.h"
#include "ui/widgets.h"

namespace tilewalk {

// Shown at the foot while keyboard navigation is on.
inline constexpr const char* kNavigationHint =
    "Arrows choose  ·  Enter acts  ·  Tab goes on to the next panel  ·  Esc leaves keyboard navigation";

struct SideShares {             // how the column at the right is divided among the next three parts
  float table_row, table_most;  // heights
  float sentence_lines;         // number of lines reserved
  float o_row_least, o_most;
  bool stacked = false;  // V over O, as K over S
  bool o_alone = false;  // without V, so that O has room beside the first minute's card
};
// A lesson that outlines this part of a panel, and not the one above it, scrolls to it, once for each screen.
void bring_outlined_into_view(const UiFrame&, const Panel&, const char* name, const char* above, const draw::Rect&);
// Marks the row that the sentence names, in each block of numbers.
void mark_named_row(ImDrawList*, const Palette&, const draw::Rect&, float s);
void draw_softmax_panel(const UiFrame&, Panel&, const SideShares&, bool with_sentence);
void draw_step_sentence(const UiFrame&, Panel&, const SideShares&);
float sentence_height(const UiFrame&, const Panel&, const SideShares&, bool kept);  // kept: of the reserved lines
float table_height(const UiFrame&, const SideShares&);
float table_heads_height(const UiFrame&, const Panel&, const SideShares&);
void draw_o_tile_panel(const UiFrame&, Panel&, const SideShares&);
float o_tile_height(const UiFrame&, const Panel&, const SideShares&);  // without its caption
void draw_selected_panel(const UiFrame&, Panel&);                      // instead of the source
// Likewise, while the first minute is offered: where the pen is, or at the panel's lower end.
void draw_tour_card(const UiFrame&, Panel&, bool at_the_end);
// One line: the bytes so far, beside those of the whole walk and of naive attention. For films.
void draw_bytes_line(const UiFrame&, Panel&);
float tour_card_height(const UiFrame&, const Panel&);  // the least
bool shows_tour_card(const UiFrame&);
// The same three ways in one line, and whether it has the width for their words.
void draw_ways_in_line(const UiFrame&, const Panel&, const draw::Rect&);
bool ways_fit_in_line(const UiFrame&, const Panel&, const draw::Rect&);
// True before anything has moved: the card then has the column below the table, and says what attention is.
bool opens_with_card(const UiFrame&);
void draw_opening_card(const UiFrame&, Panel&);
// One sentence about attention with the problem's mask, where the panel has space for it.
void draw_what_attention_is(const UiFrame&, Panel&);
void draw_code_panel(const UiFrame&, Panel&);
void draw_code_switch(const UiFrame&, Panel&, float y, bool on);  // whether the source is shown
float code_line_height(const Theme&);
// Bytes by tensor: the parts of a bar, with names where they fit, and a legend of tensors in their colours, from `left`
// on, in as many lines as it needs. Moves y below.
void draw_traffic_parts(Panel&, const TrafficBar&, const draw::Rect& track);
float tensor_legend_width(const Panel&, const std::vector<TensorId>&);
void draw_tensor_legend(const UiFrame&, Panel&, const std::vector<TensorId>&, float left, float right, float& y);
void draw_check_lines(const UiFrame&, Panel&);  // of the check and the distance from float64, below the traffic
void draw_message_panel(const UiFrame&);
bool fits_transport(const UiFrame&, const Message&);  // false: an error that needs more than the line of the transport
void draw_dialogs(const UiFrame&);
void draw_glossary_dialog(const UiFrame&);
void draw_keys_dialog(const UiFrame&);
void draw_problem_dialog(const UiFrame&, float room);  // room: maximum height
void draw_presets_dialog(const UiFrame&, float room);
void draw_grid_picture(ImDrawList*, const Theme&, const GridPicture&, const draw::Rect&);
void draw_faults_dialog(const UiFrame&);
void draw_export_dialog(const UiFrame&);
void draw_file_dialog(const UiFrame&, bool save);
void draw_lessons_dialog(const UiFrame&);
void draw_review_dialog(const UiFrame&);
void draw_questions_dialog(const UiFrame&);

}  // namespace tilewalk
