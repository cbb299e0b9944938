// The stops of Tab in the problem's dialog, in the order of drawing: text fields, rows of choices and buttons, because
// Dear ImGui's own Tab only reaches text fields (before 1.89). Rebuilt in each frame; UiState stores the current stop.
// A stop that is not a text field has a ring while it is current.
#pragma once

#include "ui/panels/panels.h"

namespace tilewalk {

class TabStops {
 public:
  explicit TabStops(const UiFrame&);
  ~TabStops();
  TabStops(const TabStops&) = delete;
  TabStops& operator=(const TabStops&) = delete;

  // Call before the text field, and text_done() directly after it: Tab gives it the caret, a click makes it the current
  // stop.
  void before_text(const char* label);
  void text_done();
  bool at(const draw::Rect&);  // of anything else: true if it is the current stop, which gets the keys
  bool is_here() const { return f_.ui.stop == count_ - 1; }  // the last one drawn is current
  void here() { f_.ui.stop = count_ - 1; }                   // after a click: makes the last one drawn current

 private:
  bool next_is_at_hand();
  const UiFrame& f_;
  int count_ = 0;
  bool moved_ = false;
};

float draw_problem_fields(const UiFrame&, TabStops&, const ProblemModel&, float width);  // returns its lower end

}  // namespace tilewalk
