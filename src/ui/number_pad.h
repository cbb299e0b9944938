// Digits to click, for a hand that has a mouse or a finger and no keyboard: two rows under a field. What is typed
// belongs to the caller; whether the pad is open belongs to the window (UiState).
#pragma once

#include <optional>
#include <string>

#include "ui/ui.h"

namespace tilewalk {

// What a button that opens and closes the pad says, on itself and in its tooltip.
inline constexpr const char* kNumberPadLabel = "keypad";
inline constexpr const char* kNumberPadTip = "Digits to click, where there is no keyboard";

float number_pad_height(const UiFrame&, float s);  // 0 while it is closed
// Draws the pad from a corner on, if it is open. The text comes back when a key changed it.
std::optional<std::string> draw_number_pad(const UiFrame&, const Font&, float x, float y, float width,
                                           const std::string& text, bool enabled);

}  // namespace tilewalk
