// Parts of the last card that have files of their own.
#pragma once

#include "pages/walk/last_card_model.h"
#include "ui/panel.h"

namespace tilewalk {

// The results with the numbers of their rows and columns, as numbers where all of them fit, else as colours; and their
// legend. Fills the area, or less of it.
void draw_card_results(const UiFrame&, Panel&, const LastCard&, const draw::Rect& area);

}  // namespace tilewalk
