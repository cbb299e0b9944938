// The page of which attention runs: its model with the typed and refused texts, or why there is none.
#pragma once

#include "pages/which/names_model.h"
#include "pages/which/which_controller.h"
#include "pages/which/which_model.h"
#include "session/lesson/lesson_controller.h"

namespace tilewalk {

struct WhichPage {
  std::optional<WhichModel> model;
  std::string missing;  // why there is no model
  NamesModel names;     // of kernels; there even without a model
};

// recorded: times of a race on the call's card, or null.
WhichPage build_which_page(const WhichController&, const RaceTimes* recorded);

void hide_asked(WhichModel&, const LessonController&);  // hides the open lesson's answer

}  // namespace tilewalk
