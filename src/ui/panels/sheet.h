// A modal sheet in the middle of the screen, with a title and a cross; a click beside it closes it. Everything drawn
// during its lifetime is inside it.
#pragma once

#include <string_view>

#include "ui/widgets.h"

namespace tilewalk {

struct Sheet {
  // In design pixels; lower where the contents need less.
  Sheet(const UiFrame& frame, const char* title, float width, float most_height);
  ~Sheet();
  Sheet(const Sheet&) = delete;
  Sheet& operator=(const Sheet&) = delete;
  bool appeared() const { return f.session.view().dialog() != f.ui.dialog_before; }
  void start_at_item() const;  // keyboard navigation starts at the last item
  float room_below() const;    // for a list at its end, in pixels: down to the sheet's maximum height
  const UiFrame& f;

 private:
  float most_ = 0, head_ = 0;  // maximum height, and start of the contents
};

// Contents, drawn one below the other.
void words(const UiFrame&, std::string_view text, ImU32 colour);
void error_words(const UiFrame&);
void sheet_caption(const UiFrame&, std::string_view text, float above);  // above: the gap above it, in design pixels
bool sheet_button(const UiFrame&, const char* label, bool strong, bool enabled = true);

}  // namespace tilewalk
