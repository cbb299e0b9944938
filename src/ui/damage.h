// Which parts of the screen differ from the frame before. A grid of square patches keeps, for each patch, a digest of
// all triangles that touch it, in drawing order; a patch whose digest changed must be drawn anew, the others are kept.
// filter() then thins a frame's draw lists to the triangles that touch changed patches. Knows no GL.
// Two different patches agree by chance about once in 2^64.
#pragma once

#include <cstdint>
#include <vector>

#include "ui/draw.h"
#include "ui/imgui_compat.h"

namespace tilewalk {

class Damage {
 public:
  static constexpr int kPatch = 64;  // pixels

  // Rectangles to draw anew, on patch bounds and disjoint; empty if the frame is the same as the one before.
  const std::vector<draw::Rect>& update(const ImDrawData&);
  void reset() { digests_.clear(); }       // everything is to be drawn at the next update
  double share() const { return share_; }  // of the screen that the last update found changed

 private:
  std::vector<std::uint64_t> digests_, next_;
  std::vector<draw::Rect> rects_;
  int wide_ = 0, high_ = 0;
  double share_ = 0;
};

// While it lives, the frame's lists hold only what touches the rectangles, clipped to them; then they are as before.
class Filtered {
 public:
  Filtered(ImDrawData&, const std::vector<draw::Rect>&);
  ~Filtered();
  Filtered(const Filtered&) = delete;
  Filtered& operator=(const Filtered&) = delete;

 private:
  struct Kept {
    ImVector<ImDrawCmd> commands;
    ImVector<ImDrawIdx> indices;
  };
  ImDrawData& data_;
  std::vector<Kept> kept_;
};

}  // namespace tilewalk
