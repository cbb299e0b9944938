// What the drawings of one step on its way share.
#pragma once

#include <functional>

#include "ui/panels/motion/moving.h"

namespace tilewalk {

inline constexpr float kDotRadius = 4.2f;  // of a number too small to be written, in design pixels

struct MotionPen {
  const UiFrame& f;
  const Moving& m;
  ImDrawList* list;
  float s;
  const Palette& c;
};

// The dots of one way in the frame before, for tests.
struct DottedWay {
  std::string name;  // "way of K1", "wire K1"
  std::vector<draw::Rect> dots;
};
// Keeps its storage from one frame to the next: dots are many.
struct DottedWays {
  std::vector<DottedWay> ways;
  std::size_t used = 0;  // of them, in this frame
  void begin_frame() { used = 0; }
  DottedWay& begin_way(const char* kind, const std::string& name);
};

// Numbers, tiles on chip and words; not the tiles and the free spaces of HBM.
bool has_text(PlaceKind);

// A number or a tile's name on its way from one place to another; share: of the way. Drawn where it covers no
// other number and no word; it jumps over the other parts of its way, and waits behind one on the same way. At its
// source it is drawn only if it reads as the number there: "− 0.92" over 0.92 would be another one.
struct ChipEnds {
  bool reads_as_source = true;
  bool arrives = true;  // it is drawn at its goal too, if that shows no number
};
void draw_chip(const MotionPen&, const draw::Rect& from, const draw::Rect& to, float share, const std::string& text,
               ImU32 fill, ChipEnds = {});

// Dots along a way, without those for which is_left_out() is true.
void draw_dots(const MotionPen&, const std::vector<ImVec2>& way, DottedWay&, ImU32 ink,
               const std::function<bool(const draw::Rect&)>& is_left_out);

// Dots along the way of a chip, named after what travels; none over a number or a word.
void draw_dotted_way(const MotionPen&, const draw::Rect& from, const draw::Rect& to, const std::string& name,
                     ImU32 ink);

// The named row of an output that α shrinks, lifted and enlarged where the output's panel has a box for it: its old
// outline, its height on the way to α, the old number and the new one.
void draw_lifted_row(const MotionPen&, const MovingValues&);

// What is made of one quantity: rings, and the numbers that travel to what is ringed.
void draw_made(const MotionPen&, const MovingValues&);

}  // namespace tilewalk
