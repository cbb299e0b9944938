// A modal sheet in the middle of the screen, with a title and a cross; a click beside it closes it. Everything drawn
// while it lives stands in it.
#pragma once

#include <string_view>

#include "ui/widgets.h"

namespace tilewalk {

struct Sheet {
  // In design pixels; lower where what stands in it needs less.
  Sheet(const UiFrame& frame, const char* title, float width, float most_height);
  ~Sheet();
  Sheet(const Sheet&) = delete;
  Sheet& operator=(const Sheet&) = delete;
  bool appeared() const { return f.session.view().dialog() != f.ui.dialog_before; }
  void start_at_item() const;  // keyboard navigation begins at the item just made
  float room_below() const;    // for a list at its end, in pixels: as far down as the sheet may reach
  const UiFrame& f;

 private:
  float most_ = 0, head_ = 0;  // its greatest height, and where what stands in it begins
};

// What stands in it, one below the other.
void words(const UiFrame&, std::string_view text, ImU32 colour);
void error_words(const UiFrame&);
void sheet_caption(const UiFrame&, std::string_view text, float above);  // a gap, in design pixels, stands above it
bool sheet_button(const UiFrame&, const char* label, bool strong, bool enabled = true);

}  // namespace tilewalk
