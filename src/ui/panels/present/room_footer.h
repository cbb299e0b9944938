// The foot of a page that is presented: one question for the class, in a lesson that of the screen with its choices and
// then its answer; the keys that work; and a way out for the mouse.
// Its letters are those of the presented page.
#pragma once

#include <string>
#include <vector>

#include "ui/theme.h"
#include "ui/ui.h"

namespace tilewalk {

struct RoomFooterLine {
  std::string text;
  const Font* font;
  ImU32 ink;
  const char* id;
};
struct RoomFooter {
  std::vector<RoomFooterLine> lines;
  float height = 0;  // in pixels, for the width of the window
};

RoomFooter build_room_footer(const UiFrame&);
void draw_room_footer(const UiFrame&, const RoomFooter&, const draw::Rect&);

}  // namespace tilewalk
