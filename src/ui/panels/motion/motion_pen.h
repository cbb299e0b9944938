// What the drawings of one step on its way share.
#pragma once

#include <functional>

#include "ui/panels/motion/moving.h"

namespace tilewalk {

inline constexpr float kDotRadius = 4.2f;  // in place of a number, in design pixels

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

bool is_inside(const ImVec2&, const draw::Rect&);

// Numbers, tiles on chip and words; not the tiles and the free spaces of HBM.
bool has_text(PlaceKind);

// A number or a tile's name on its way from one place to another; share: of the way.
void draw_chip(const MotionPen&, const draw::Rect& from, const draw::Rect& to, float share, const std::string& text,
               ImU32 fill);

// Dots along a way, without those for which is_left_out() is true.
void draw_dots(const MotionPen&, const std::vector<ImVec2>& way, DottedWay&, ImU32 ink,
               const std::function<bool(const draw::Rect&)>& is_left_out);

// Dots along the way of a chip, named after what travels; none over a number or a word.
void draw_dotted_way(const MotionPen&, const draw::Rect& from, const draw::Rect& to, const std::string& name,
                     ImU32 ink);

// The numbers of a tile that crosses, in rows and columns of equal cells. `size` is empty where the tile has too many
// numbers, or where they are not on chip.
struct CrossingNumbers {
  std::vector<float> values;  // row by row
  std::int64_t cols = 0;
  const Font* font = nullptr;
  ImVec2 size = {0, 0};  // of the tile on the screen
  bool empty() const { return values.empty(); }
};
// most: the space for the tile.
CrossingNumbers crossing_numbers(const MotionPen&, const MovingTile&, const ImVec2& most);
void draw_crossing_numbers(const MotionPen&, const CrossingNumbers&, const draw::Rect&, ImU32 fill);

// The named row of an output that α shrinks, lifted and enlarged: its old outline, its height on the way to α, the old
// number and the new one.
void draw_lifted_row(const MotionPen&, const MovingValues&);

// What is made of one quantity: rings, and the numbers that travel to what is ringed.
void draw_made(const MotionPen&, const MovingValues&);

}  // namespace tilewalk
