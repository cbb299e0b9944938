// What the drawings of one step on its way share.
#pragma once

#include "ui/panels/motion/moving.h"

namespace tilewalk {

struct MotionPen {
  const UiFrame& f;
  const Moving& m;
  ImDrawList* list;
  float s;
  const Palette& c;
};

inline ImVec2 centre(const draw::Rect& r) { return {(r.x0 + r.x1) / 2, (r.y0 + r.y1) / 2}; }

// What is made of one quantity: rings, and the numbers that travel to what is ringed.
void draw_made(const MotionPen&, const MovingValues&);

}  // namespace tilewalk
