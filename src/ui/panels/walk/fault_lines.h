// The deliberate mistake, below the memories: its name, buttons to the first wrong step and back to the correct
// schedule, and what it does. Texts that do not fit whole are in a tooltip.
#pragma once

#include "pages/walk/fault_model.h"
#include "ui/panel.h"
#include "ui/ui.h"

namespace tilewalk {

float fault_height(const Panel&, const FaultModel&);  // with all its texts
void draw_fault(const UiFrame&, Panel&, const FaultModel&);

// Draws a wrong row of the output, the right one and their difference in the place of the source, with the source's
// switch. A number appears when that of the output lands. Returns false and draws nothing where the columns do not fit.
bool draw_mistake_row(const UiFrame&, Panel&, const MistakeRow&);

}  // namespace tilewalk
