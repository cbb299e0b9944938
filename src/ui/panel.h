// One panel: a fixed ImGui window and a pen that moves down it. Contents larger than the panel scroll. Captions explain
// the words of the glossary that stand in them.
#pragma once

#include <string>

#include "ui/draw.h"
#include "ui/ui.h"

namespace tilewalk {

enum class Scroll { ByWheel, ByBar, Never };  // ByBar: the wheel does something else

class Panel {
 public:
  Panel(const char* id, const draw::Rect&, const UiFrame&, Scroll);
  ~Panel();
  Panel(const Panel&) = delete;
  Panel& operator=(const Panel&) = delete;

  ImDrawList* list;
  const Theme& theme;
  const Palette& colours;
  const Fonts& fonts;
  float s, e;         // as the theme's
  float x, y, width;  // the pen, and the width to write in
  draw::Rect rect;

  void caption(std::string_view text, float taken = 0);  // a line at the pen, which moves below it; what is at its end
  float caption_at(float at_x, float at_y, std::string_view text, float most);  // returns its width

 private:
  const UiFrame& frame_;
  int captions_ = 0;
};

}  // namespace tilewalk
