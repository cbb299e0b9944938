// Parts of the page of comparison that several panels draw.
#pragma once

#include <algorithm>

#include "ui/panel.h"

namespace tilewalk {

void draw_launch_bars(const UiFrame&, Panel&);  // of backward passes, instead of lanes
// The height of the button that opens folded rows.
inline float fold_height(const Panel& p) { return std::max(24 * p.s, p.fonts.body.em + 8 * p.s); }
// The text up to the last " · ", "; " or ", " before which it fits, so that no figure is cut; empty: no part fits.
std::string whole_parts(const Font&, std::string text, float width);
// A caption up to the last " · " or ": " before which it fits.
void whole_caption(Panel&, const std::string& text, float width);
float draw_filling_choice(const UiFrame&, Panel&);  // "SMs | wave by wave | warps"; returns its width
// Tags that end at `right`; they return the right end of the next one.
float draw_lane_options(const UiFrame&, Panel&, float right);
float draw_baseline_choice(const UiFrame&, Panel&, float right);
float draw_pace(const UiFrame&, Panel&, float right);
float draw_compared_choice(const UiFrame&, Panel&, float right);  // this walk, or the call
float draw_pipes_switch(const UiFrame&, Panel&, float right);     // "pipes", or back to the lanes

}  // namespace tilewalk
