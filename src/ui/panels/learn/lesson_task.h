// The question of a lesson's screen: a control for each kind of task (a field, a scale, choices, lines to order,
// numbers to work out by hand). Its answer goes out as Commands.
#pragma once

#include "ui/panel.h"

namespace tilewalk {

// Draws at the panel's cursor and moves that below.
void draw_task(const UiFrame&, Panel&, const LessonTaskModel&);

}  // namespace tilewalk
