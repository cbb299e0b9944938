// The page of which attention runs: its model with what was typed and refused, or why there is none.
#pragma once

#include "pages/which/names_model.h"
#include "pages/which/which_controller.h"
#include "pages/which/which_model.h"
#include "session/lesson/lesson_controller.h"

namespace tilewalk {

struct WhichPage {
  std::optional<WhichModel> model;
  std::string missing;  // why there is none
  NamesModel names;     // of kernels: there all the same
};

// Times of a race on the call's card, or none.
WhichPage build_which_page(const WhichController&, const RaceTimes* recorded);

void hide_asked(WhichModel&, const LessonController&);  // what the lesson that is open asks

}  // namespace tilewalk
