// A lesson's screen in lines, for those who cannot see the window: the same rail, and what its scene shows.
#pragma once

#include <string>

#include "session/session.h"
#include "view/learn/lesson_panel_model.h"
#include "view/learn/review_model.h"

namespace tilewalk {

std::string lesson_list_text(const std::vector<LessonEntry>&);
std::string review_text(const ReviewModel&);                       // what went wrong, and what to read next
std::string screen_text(const Session&, const LessonPanelModel&);  // head, sentences, scene and question
std::string question_text(const Session&);                         // by hand: the next number that is asked
std::string asked_text(const Session&);                            // with the numbers to work with before it
std::string notes_text(const LessonPanelModel&);                  // what is said of the answer; and what comes after it
std::string scene_text(const Session&, const LessonPanelModel&);  // what the lesson points at

}  // namespace tilewalk
