// The foot of two walks, one pipe: the walk's buttons, and both sides' bytes on one track. Nothing for a room.
#pragma once

#include "ui/panel.h"
#include "view/pipes/pipes_model.h"

namespace tilewalk {

float pipes_foot_height(const UiFrame&, const Panel&);
void draw_pipes_foot(const UiFrame&, Panel&, const PipesModel&, const Schedule* steered, const draw::Rect&);

}  // namespace tilewalk
