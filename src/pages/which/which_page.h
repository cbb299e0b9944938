// The page of which attention runs: its model with the typed and refused texts, or why there is none.
#pragma once

#include "pages/which/names_model.h"
#include "pages/which/profile_cards.h"
#include "pages/which/which_controller.h"
#include "pages/which/which_model.h"
#include "session/lesson/lesson_controller.h"
#include "view/words/naive_win.h"

namespace tilewalk {

struct WhichPage {
  std::optional<WhichModel> model;
  std::string missing;                  // why there is no model
  NamesModel names;                     // of kernels; there even without a model
  std::vector<ProfileCard> cards = {};  // the calls that the open profile implies
  std::optional<NaiveWin> win = {};     // of the kernel that runs, else of its schedule's; empty: no time is known
  std::string untimed = {};             // with an attn_mask: that no time is known, and which it would be without
};

// recorded: times of a race on the call's card, or null.
WhichPage build_which_page(const WhichController&, const RaceTimes* recorded);

// The speed-up of a schedule's fast kernel over naive attention: recorded where both were, else predicted.
std::optional<NaiveWin> predicted_win(ScheduleKind, const std::vector<PredictionRow>&);
// The same of the kernel that runs, where it was recorded for this very call, or for the call without its attn_mask;
// beside it this project's fastest recorded kernel.
std::optional<NaiveWin> recorded_win(const WhichModel&, const std::vector<PredictionRow>&);

// Hide the open lesson's answer.
void hide_asked(WhichModel&, const LessonController&);
void hide_asked(WhichPage&, const LessonController&);

}  // namespace tilewalk
