// The question of a lesson's screen: a control for each kind of task (a field, a scale, choices, lines to order,
// numbers to compute by hand). Pushes its answer as Commands.
#pragma once

#include "ui/panel.h"

namespace tilewalk {

// Draws at the panel's pen and moves the pen below.
void draw_task(const UiFrame&, Panel&, const LessonTaskModel&);

}  // namespace tilewalk
