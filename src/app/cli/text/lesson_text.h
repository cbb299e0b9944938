// A lesson's screen as text, for users without the window: the same lesson panel, and the contents of its scene.
#pragma once

#include <string>

#include "session/session.h"
#include "view/learn/lesson_panel_model.h"
#include "view/learn/review_model.h"

namespace tilewalk {

std::string lesson_list_text(const std::vector<LessonEntry>&);
std::string review_text(const ReviewModel&);                       // mistakes so far, and what to read next
std::string screen_text(const Session&, const LessonPanelModel&);  // head, sentences, scene and question
std::string question_text(const Session&);                         // by hand: the next open number
std::string asked_text(const Session&);                            // with its inputs before it
std::string notes_text(const LessonPanelModel&);                   // the reply to the answer, and the text after it
std::string scene_text(const Session&, const LessonPanelModel&);   // the parts that the lesson points at

}  // namespace tilewalk
