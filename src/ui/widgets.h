// Clickable things: an invisible place, a button and a tag. Each has a tooltip that describes its action, a ring while
// keyboard navigation is on it, and records its rectangle under its id for the frame (ui/rects.h). A button has an
// action; a tag also shows a state, so its caller chooses the colours. None has state between frames.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "ui/draw.h"
#include "ui/tooltip.h"
#include "ui/ui.h"

namespace tilewalk {

struct Hit {
  bool clicked = false, hovered = false, held = false;
};
Hit hit(const UiFrame&, const std::string& id, const draw::Rect&);  // invisible
// True while the pointer is there. A place that shows a tooltip and does nothing.
bool pointed_at(const UiFrame&, const std::string& id, const draw::Rect&);

struct Button {
  std::string id;
  draw::Rect rect;
  std::string_view label, tip = {};
  std::optional<draw::Sign> sign = {};  // instead of a label, and without a border
  bool strong = false, enabled = true;
};
bool button(const UiFrame&, const Button&);  // true when it is clicked
// Of a button with this label. sides: the space left and right of the label together, before scaling.
float button_width(const Theme&, std::string_view label, float sides = 24);

struct Tag {
  std::string id;
  draw::Rect rect;
  std::string_view label, tip = {};
  const Font& font;
  ImU32 ink, fill, hovered;  // `hovered` replaces `fill` under the mouse
  ImU32 border = 0;
  float rounding = 0;                   // in pixels
  std::optional<ImVec2> label_at = {};  // its corner; without it centred
  bool enabled = true;
};
bool tag(const UiFrame&, const Tag&);

// One of several of which one is on: a tag in the colours of a tab.
struct Tab {
  std::string id;
  draw::Rect rect;
  std::string_view label, tip = {};
  bool active = false, enabled = true;
};
bool tab(const UiFrame&, const Tab&);

// A field of one line, in the current font. Returns the text when it was changed.
struct TextField {
  std::string id;
  draw::Rect rect;
  std::string text;
  std::string_view otherwise = {}, tip = {};  // otherwise: the default of an empty field; may be empty
  std::string_view at_rest = {};              // drawn instead of the text while nobody edits it; empty: the text
  ImU32 border = 0;                           // 0: the theme's
  bool focus = false;                         // takes the keyboard in this frame
};
std::optional<std::string> text_field(const UiFrame&, const TextField&);

// Draws a halo if the lesson's screen outlines that name (session/lesson, kOutlineWords). Records its rectangle under
// "halo NAME".
void halo(const UiFrame&, ImDrawList*, const char* name, const draw::Rect&);

std::string with_meanings(std::string_view own, std::string_view text);  // appends the meanings of the text's words
// A tooltip with the glossary's meanings of a text's words; none where it has no such word. Tab does not begin there.
void explain(const UiFrame&, const std::string& id, const draw::Rect&, std::string_view text);
// A caption, or a word, with its meaning as a tooltip; returns its width.
float caption(const UiFrame&, const std::string& id, float x, float y, std::string_view, float most = 1e9f);
float word(const UiFrame&, const Font&, float x, float y, ImU32, std::string_view);  // its id is the word itself
void word_right(const UiFrame&, const Font&, float right, float y, ImU32, std::string_view);

}  // namespace tilewalk
