// The teacher's page of a lesson: what to ask a room, what is answered wrongly as a rule, and each question with its
// answer and the mistakes that the program tells apart. Figures are those of the lesson's own scenes.
#pragma once

#include "session/lesson/lesson.h"
#include "view/check/lesson_check.h"
#include "view/print/document.h"

namespace tilewalk {

// Precondition: the sessions know the lesson.
PrintDocument build_teacher_page(const Lesson&, const NewSession&);

}  // namespace tilewalk
