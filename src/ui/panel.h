// One panel: a fixed ImGui window and a pen that moves down it. Contents larger than the panel scroll.
#pragma once

#include <string>

#include "ui/draw.h"
#include "ui/ui.h"

namespace tilewalk {

enum class Scroll { ByWheel, ByBar, Never };  // ByBar: the wheel does something else

class Panel {
 public:
  Panel(const char* id, const draw::Rect&, const Theme&, Scroll);
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

}  // namespace tilewalk
