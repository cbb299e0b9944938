// What can be read in the window: every text of every view model, with where it stands. So that a lesson can be held to
// telling nowhere what it asks. Not the lesson panel, nor the lists that are open over a page.
#pragma once

#include <string>
#include <vector>

#include "view/views.h"
#include "view/words/shown_texts.h"

namespace tilewalk {

struct InspectorModel;

std::vector<ShownText> every_text(const Views&);
std::vector<ShownText> every_text(const LessonPanelModel&);  // of a lesson's screen
std::vector<ShownText> every_text(const InspectorModel&, const std::string& where);

}  // namespace tilewalk
