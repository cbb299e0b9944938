// The teacher's page for a whole class: minute by minute which lesson, what to do, what to ask and which print-out is
// needed.
#pragma once

#include "session/class_plan.h"
#include "session/lesson/lesson.h"
#include "view/print/document.h"

namespace tilewalk {

PrintDocument build_class_page(const ClassPlan&, const std::vector<Lesson>&);

}  // namespace tilewalk
