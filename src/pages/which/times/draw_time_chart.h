// The chart of a call's times: a row for each backend that PyTorch tries, in its order, with its verdict below the bar;
// then the kernels that they are compared with; one axis below all.
#pragma once

#include "pages/which/which_page.h"
#include "ui/panels/panels.h"

namespace tilewalk {

// Draws the bars at the panel's y and moves y below them. `below` is the height that the parts after the chart need;
// the bars fill the rest. Draws nothing for a chart without bars.
void draw_time_chart(const UiFrame&, Panel&, const WhichPage&, float below);

// What a check asks for, with the call's value where it is refused.
std::string check_text(const WhichCheck&);
// The checks of a backend that was not reached.
std::string unreached_tip(const WhichCard&);

}  // namespace tilewalk
