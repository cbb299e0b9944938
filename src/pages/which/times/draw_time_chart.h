// The chart of a call's times: a row for each backend that PyTorch tries, in its order, with its verdict below the bar;
// then the kernels that they are compared with; one axis below all.
#pragma once

#include "pages/which/which_page.h"
#include "ui/panels/panels.h"

namespace tilewalk {

// At the pen, which it moves below. below: the height that what follows needs; the bars take what is left. A chart
// without bars draws nothing.
void draw_time_chart(const UiFrame&, Panel&, const WhichPage&, float below);

// What a check asks for, with the call's value where it is refused.
std::string check_text(const WhichCheck&);
// The checks of a backend that was not reached.
std::string unreached_tip(const WhichCard&);

}  // namespace tilewalk
