// One panel: a fixed ImGui window and a pen that moves down it. Contents larger than the panel scroll.
#pragma once

#include <string>

#include "ui/draw.h"
#include "ui/ui.h"

namespace tilewalk {

class Panel {
 public:
  Panel(const char* id, const draw::Rect&, const Theme&, bool scrolls = true, bool by_wheel = true);
  ~Panel();
  Panel(const Panel&) = delete;
  Panel& operator=(const Panel&) = delete;

  ImDrawList* list;
  const Theme& theme;
  const Palette& colours;
  const Fonts& fonts;
  float s;
  float x, y, width;  // the pen, and the width to write in
  draw::Rect rect;

  void caption(std::string_view text) {
    draw::caption(list, theme, x, y, text, width);
    y += 24 * s;
  }
};

struct Hit {
  bool clicked = false, hovered = false, held = false;
};
// An invisible button; with a ring when keyboard navigation is on it.
Hit hit(const char* id, const draw::Rect&, const Theme&);
bool button(ImDrawList*, const Theme&, const char* id, const draw::Rect&, std::string_view label, bool strong = false,
            bool enabled = true);
void tooltip(const Theme&, std::string_view text);

}  // namespace tilewalk
