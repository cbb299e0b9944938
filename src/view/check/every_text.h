// Every text of every view model, with its place in the window, so that a check can search them for a lesson's answer.
// Without the lesson panel and the lists that open over a page.
#pragma once

#include <string>
#include <vector>

#include "view/views.h"
#include "view/words/shown_texts.h"

namespace tilewalk {

struct InspectorModel;

std::vector<ShownText> every_text(const Views&);
std::vector<ShownText> every_text(const LessonPanelModel&);  // of one screen of the lesson
std::vector<ShownText> every_text(const InspectorModel&, const std::string& where);

}  // namespace tilewalk
