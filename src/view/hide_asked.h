// What the lesson that is open asks is taken out of view models until it is answered or shown (session/lesson/lesson.h,
// kHideWords). Numbers asked for by hand are view/hand's.
#pragma once

#include "view/views.h"

namespace tilewalk {

inline constexpr const char* kAskedNow = "The lesson asks for this. It comes back once you have answered.";

void hide_asked(Views&, const LessonController&);

}  // namespace tilewalk
