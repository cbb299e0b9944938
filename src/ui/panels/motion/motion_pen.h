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

// What is made of one quantity: rings, and the numbers that travel to what is ringed.
void draw_made(const MotionPen&, const MovingValues&);

}  // namespace tilewalk
