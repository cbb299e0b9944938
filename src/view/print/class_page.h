// The teacher's page for a whole class: for each minute the lesson, the task, the question and the print-out.
#pragma once

#include "session/class_plan.h"
#include "session/lesson/lesson.h"
#include "view/print/document.h"

namespace tilewalk {

PrintDocument build_class_page(const ClassPlan&, const std::vector<Lesson>&);

}  // namespace tilewalk
