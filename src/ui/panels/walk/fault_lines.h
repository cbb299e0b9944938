// The deliberate mistake, below the memories: its name, buttons to the first wrong step and back to the correct
// schedule, and what it does. Texts that do not fit whole are in a tooltip.
#pragma once

#include "pages/walk/fault_model.h"
#include "ui/panel.h"
#include "ui/ui.h"

namespace tilewalk {

float fault_height(const Panel&, const FaultModel&);  // with all its texts
void draw_fault(const UiFrame&, Panel&, const FaultModel&);

// A wrong row of the output above the right one, and by how much they differ: in the place of the source, with its
// switch. A number appears when the output's lands. False, and nothing is drawn,
// where the columns do not fit.
bool draw_mistake_row(const UiFrame&, Panel&, const MistakeRow&);

}  // namespace tilewalk
