// Parts of the last card that have files of their own.
#pragma once

#include "pages/walk/last_card_model.h"
#include "ui/panel.h"

namespace tilewalk {

// The results with the numbers of their rows and columns, as numbers where all of them fit, else as colours; and their
// legend. Fills the area, or less of it.
void draw_card_results(const UiFrame&, Panel&, const LastCard&, const draw::Rect& area);

// The recorded times at the window's call, with a button to the race that has them, from the area's left end to its
// right and as high as needed. draws: false to measure. Returns the height.
float draw_times_of_call(const UiFrame&, Panel&, const std::string& words, const draw::Rect& area, bool draws,
                         bool with_button);

// What became of the scores, below their matrix as a picture that fills the area.
void draw_scores_picture(const UiFrame&, Panel&, const CardScores&, const draw::Rect& area);

// A row with a wrong number, above what is right: as many columns as fit around that number. large: numbers of a
// picture; tight: low cells. draws: false to measure. Returns the height.
struct WrongRowSize {
  bool large = false, tight = false;
};
float draw_wrong_row(const UiFrame&, Panel&, const WrongRow&, std::string title, const draw::Rect& area, bool draws,
                     const WrongRowSize&);

}  // namespace tilewalk
