// One panel: a fixed ImGui window and a pen that moves down in it. Contents larger than the panel scroll. A caption has
// a tooltip with the glossary's meanings of its words.
#pragma once

#include "ui/draw.h"
#include "ui/ui.h"

namespace tilewalk {

enum class Scroll { ByWheel, ByBar, Never };  // ByBar: the wheel has another function

class Panel {
 public:
  // in_page: a part of the scrolling window that is open
  Panel(const char* id, const draw::Rect&, const UiFrame&, Scroll, bool in_page = false);
  ~Panel();
  Panel(const Panel&) = delete;
  Panel& operator=(const Panel&) = delete;

  ImDrawList* list;
  const Theme& theme;
  const Palette& colours;
  const Fonts& fonts;
  float s, e;         // as in the theme
  float x, y, width;  // the pen, and the width for contents
  draw::Rect rect;

  void caption(std::string_view text,
               float taken = 0);  // one line; moves the pen below. taken: width in use at its end
  float caption_at(float at_x, float at_y, std::string_view text, float most);  // returns its width

 private:
  const UiFrame& frame_;
  bool in_page_;
  int captions_ = 0;
};

}  // namespace tilewalk
