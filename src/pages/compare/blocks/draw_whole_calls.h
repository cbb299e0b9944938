// The whole calls above the lanes of one thread block: a bar each on one scale, their launches, and the axis of their
// time.
#pragma once

#include <string>

#include "pages/compare/lanes_model.h"
#include "ui/panels/panels.h"

namespace tilewalk {

float bar_high(const Panel&);  // of a bar or a row of launches, with the space below it

// The whole call as a bar, above the rows of one thread block, or one of its launches. words: the space at the right of
// the longer bar. now: the current side; the pinned one is grey.
void draw_whole(const UiFrame&, Panel&, const LaneWhole&, const draw::Rect& area, float words, const std::string& name,
                bool now);

// The bars of both calls on one scale, with their launches and the axis of their time. words: as above.
void draw_whole_calls(const UiFrame&, Panel&, const LanesModel&, const draw::Rect& area, float words, bool launches);

}  // namespace tilewalk
