// The parts of the panels that show all SMs of one side at one moment (filled_sms): the squares, and
// how many SMs work over time.
#pragma once

#include <optional>

#include "pages/compare/blocks/filled_sms.h"
#include "ui/panels/panels.h"

namespace tilewalk {

// One square for each SM, with the number of its wave where it fits, as large as the area allows.
void draw_filled_squares(const UiFrame&, Panel&, const FilledSms&, const draw::Rect& area);

// What the shades of the squares mean, on one line. Returns its height.
float draw_shade_key(const UiFrame&, Panel&, const FilledSms&, float y);

// How many SMs work over time, in the shades of their waves: pale from the moment at hand on. The area has longest_ms;
// the side's part of it is shorter where the side takes less time, and words say so. A click or a drag chooses a
// moment: returns it, as a share of the side's time.
std::optional<double> draw_waves_over_time(const UiFrame&, Panel&, const FilledSms&, double longest_ms,
                                           const draw::Rect& area);

}  // namespace tilewalk
