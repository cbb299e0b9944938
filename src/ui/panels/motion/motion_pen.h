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

// A number or a tile's name on its way from one place to another; share: of the way.
void draw_chip(const MotionPen&, const draw::Rect& from, const draw::Rect& to, float share, const std::string& text,
               ImU32 fill);

// What is made of one quantity: rings, and the numbers that travel to what is ringed.
void draw_made(const MotionPen&, const MovingValues&);

}  // namespace tilewalk
