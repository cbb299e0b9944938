// The parts of the panels that show all SMs of one side at one moment (filled_sms): the squares, the waves as segments,
// and how many SMs work over time.
#pragma once

#include <optional>

#include "pages/compare/blocks/filled_sms.h"
#include "ui/panels/panels.h"

namespace tilewalk {

// One square for each SM, as large as the area allows.
void draw_filled_squares(const UiFrame&, Panel&, const FilledSms&, const draw::Rect& area);

// A segment for each wave: those that are over are full, the running one fills. A click or a drag chooses a moment:
// returns it, as a share of the side's time.
std::optional<double> draw_waves_strip(const UiFrame&, Panel&, const FilledSms&, const draw::Rect&);

// The area has longest_ms; the side's part of it is shorter where the side takes less time.
void draw_busy_curve(const UiFrame&, Panel&, const FilledSms&, double longest_ms, const draw::Rect& area);

}  // namespace tilewalk
