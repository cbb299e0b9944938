// The teacher's page of a lesson: questions to a class, usual mistakes, and each task with its answer and the mistakes
// that the program recognises. Figures are those of the lesson's own scenes.
#pragma once

#include "session/lesson/lesson.h"
#include "view/check/lesson_check.h"
#include "view/print/document.h"

namespace tilewalk {

// Precondition: the sessions have the lesson.
PrintDocument build_teacher_page(const Lesson&, const NewSession&);

}  // namespace tilewalk
