// What can be clicked: a place, a button and a tag. Each says what it does in a tooltip, has a ring while keyboard
// navigation is on it, and leaves its rectangle under its id for the frame (ui/rects.h). A button does something; a
// tag also shows a state, so its colours come from where it stands. Neither keeps anything from one frame to the next.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "ui/draw.h"
#include "ui/ui.h"

namespace tilewalk {

struct Hit {
  bool clicked = false, hovered = false, held = false;
};
Hit hit(const UiFrame&, const std::string& id, const draw::Rect&);  // invisible

struct Button {
  std::string id;
  draw::Rect rect;
  std::string_view label, tip = {};
  std::optional<draw::Sign> sign = {};  // in place of a label, and without a border
  bool strong = false, enabled = true;
};
bool button(const UiFrame&, const Button&);  // true when it is clicked

struct Tag {
  std::string id;
  draw::Rect rect;
  std::string_view label, tip = {};
  const Font& font;
  ImU32 ink, fill, hovered;  // `hovered` in place of `fill` under the mouse
  ImU32 border = 0;
  float rounding = 0;                   // in pixels
  std::optional<ImVec2> label_at = {};  // its corner; else it stands in the middle
  bool enabled = true;
};
bool tag(const UiFrame&, const Tag&);

// A field of one line, in the font at hand. The text comes back when it was changed.
struct TextField {
  std::string id;
  draw::Rect rect;
  std::string text;
  std::string_view otherwise = {}, tip = {};  // what it is as long as nothing is typed; may be empty
  ImU32 border = 0;                           // 0: as the theme has it
};
std::optional<std::string> text_field(const UiFrame&, const TextField&);

// A halo round what the lesson on screen speaks of (session/lesson, kOutlineWords); nothing else. Leaves its rectangle
// under "halo NAME".
void halo(const UiFrame&, ImDrawList*, const char* name, const draw::Rect&);

void tooltip(const Theme&, std::string_view text);
std::string with_meanings(std::string_view own, std::string_view text);  // and what the words of a text mean
// What the words of the glossary in a text mean, in a tooltip over where it stands; nothing where it has none of them.
void explain(const UiFrame&, const std::string& id, const draw::Rect&, std::string_view text);
// A caption or a word that explains itself; returns its width.
float caption(const UiFrame&, const std::string& id, float x, float y, std::string_view, float most = 1e9f);
float word(const UiFrame&, const Font&, float x, float y, ImU32, std::string_view);  // its id is the word itself
void word_right(const UiFrame&, const Font&, float right, float y, ImU32, std::string_view);

}  // namespace tilewalk
