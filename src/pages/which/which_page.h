// The page of which attention runs: its model with the typed and refused texts, or why there is none.
#pragma once

#include "pages/which/names_model.h"
#include "pages/which/profile_cards.h"
#include "pages/which/time_chart.h"
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
  std::optional<NaiveWin> win = {};     // shown_win(); empty: no time is known
  TimeChart chart = {};                 // put_times_of_call(); no bars: no time is known
  std::string untimed = {};             // with an attn_mask: win is of the call without it; without win: why
  std::string faster = {};              // with win: "One line brings cuDNN, 3.8×: attn_mask.requires_grad_(False)"
};

// recorded: times of a race on the call's card, or null.
WhichPage build_which_page(const WhichController&, const RaceTimes* recorded);

// The speed-up that this page shows: of the kernel that PyTorch runs, with that of the call (measured/win_pair.h)
// beside it. Where that kernel was not recorded, the fast kernel here with the same schedule replaces it. Empty if no
// time is known. rows: of the call, or of the call without its attn_mask.
std::optional<NaiveWin> shown_win(const WhichModel&, const std::vector<PredictionRow>&);

// Adds it and the chart to the page, or the words of a call whose attn_mask is in no time. Nothing with dropout or
// training. Precondition: a model whose call runs.
void put_times_of_call(const Call&, const std::vector<PredictionRow>&, WhichPage&);

// True if no change leads to a faster backend, and no note is to be read: the answer says so in its last sentence.
bool advice_is_in_answer(const WhichPage&);
bool shows_recorded_words(const WhichPage&);  // of this call or a near one; false where the chart has them

// Hide the open lesson's answer.
void hide_answers(WhichModel&, const LessonController&);
void hide_answers(WhichPage&, const LessonController&);

}  // namespace tilewalk
