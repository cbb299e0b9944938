// What Tab walks through in the problem's dialog, in the order in which it is drawn: text fields, rows of choices and
// buttons alike, as Dear ImGui's own tabbing knows text fields alone (before 1.89). Made anew each frame; which stop is
// at hand lies in UiState. A stop that is no text field has a ring while it is at hand.
#pragma once

#include <string>

#include "ui/panels/panels.h"

namespace tilewalk {

class TabStops {
 public:
  explicit TabStops(const UiFrame&);
  ~TabStops();
  TabStops(const TabStops&) = delete;
  TabStops& operator=(const TabStops&) = delete;

  // Comes before the text field, and text_done() straight after it: Tab puts the caret there, a click the stop.
  void before_text(const char* label);
  void text_done();
  bool at(const draw::Rect&);  // of anything else: whether it is at hand, and so takes keys
  bool is_here() const { return f_.ui.stop == count_ - 1; }  // the one just drawn
  void here() { f_.ui.stop = count_ - 1; }                   // a click makes the one just drawn the stop at hand

 private:
  bool next_is_at_hand();
  const UiFrame& f_;
  int count_ = 0;
  bool moved_ = false;
};

float draw_problem_fields(const UiFrame&, TabStops&, const ProblemModel&, float width);  // returns where they end

}  // namespace tilewalk
