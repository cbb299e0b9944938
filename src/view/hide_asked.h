// Removes the answer of the open lesson from view models until it is answered or shown (session/lesson/lesson.h,
// kHideWords). view/hand hides the fields of work by hand.
#pragma once

#include "view/views.h"

namespace tilewalk {

inline constexpr const char* kAskedNow = "The lesson asks for this. It comes back once you have answered.";

void hide_asked(Views&, const LessonController&);

}  // namespace tilewalk
