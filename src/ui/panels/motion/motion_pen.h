// What the drawings of one step on its way share.
#pragma once

#include <functional>

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

// Dots along a way, each named "NAME i", but those that is_left_out() names.
void draw_dots(const MotionPen&, const std::vector<ImVec2>& way, const std::string& name, ImU32 ink,
               const std::function<bool(const draw::Rect&)>& is_left_out);

// Dots along the way of a chip, named after what travels; none over a number or a word.
void draw_dotted_way(const MotionPen&, const draw::Rect& from, const draw::Rect& to, const std::string& name,
                     ImU32 ink);

// What is made of one quantity: rings, and the numbers that travel to what is ringed.
void draw_made(const MotionPen&, const MovingValues&);

}  // namespace tilewalk
