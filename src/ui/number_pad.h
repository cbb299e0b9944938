// Digits to click, for a person with a mouse or a finger and no keyboard: two rows under a field. The caller owns the
// text; UiState stores whether the pad is open.
#pragma once

#include <optional>
#include <string>

#include "ui/ui.h"

namespace tilewalk {

// Label and tooltip of a button that opens and closes the pad.
inline constexpr const char* kNumberPadLabel = "keypad";
inline constexpr const char* kNumberPadTip = "Digits to click, where there is no keyboard";

float number_pad_height(const UiFrame&, float s);  // 0 while it is closed
// Draws the pad at that position, if it is open. Returns the text when a key changed it.
std::optional<std::string> draw_number_pad(const UiFrame&, const Font&, float x, float y, float width,
                                           const std::string& text, bool enabled);

}  // namespace tilewalk
