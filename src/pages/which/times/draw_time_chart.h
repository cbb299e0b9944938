// The chart of a call's times: a row for each backend that PyTorch tries, in its order; then the kernels that they are
// compared with; one axis below all.
#pragma once

#include "pages/which/which_page.h"
#include "ui/panels/panels.h"

namespace tilewalk {

// Draws the bars at the panel's y and moves y below them; they fill the panel's height. with_verdicts: beside each bar,
// or below it where it is long, how its backend ended. Draws nothing for a chart without bars.
float least_chart_height(const Panel&, const WhichPage&);  // without verdicts
void draw_time_chart(const UiFrame&, Panel&, const WhichPage&, bool with_verdicts);

}  // namespace tilewalk
