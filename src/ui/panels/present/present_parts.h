// What the parts of the screen for a room share.
#pragma once

#include "ui/panels/motion/moving.h"
#include "ui/present_layout.h"
#include "ui/widgets.h"

namespace tilewalk {

struct PresentPen {
  const UiFrame& f;
  const PresentModel& m;
  PresentLayout at;
  Palette c;
  std::optional<Moving> moving;
  ImDrawList* list;
  const Fonts& fonts = f.theme.fonts;
  float s = f.theme.s;
};

void draw_present_memories(const PresentPen&);
void draw_present_end(const PresentPen&);  // precondition: the model has an end

}  // namespace tilewalk
