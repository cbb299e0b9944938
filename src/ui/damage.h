// The parts of the screen that differ from the frame before. A grid of square patches stores, for each patch, a digest
// of all triangles that touch it, in drawing order; a patch whose digest changed must be redrawn. filter() then reduces
// a frame's draw lists to the triangles that touch changed patches. Independent of GL. Two different patches have the
// same digest with a probability of about 2^-64.
#pragma once

#include <cstdint>
#include <vector>

#include "ui/draw.h"
#include "ui/imgui_compat.h"

namespace tilewalk {

class Damage {
 public:
  static constexpr int kPatch = 64;  // pixels

  // Rectangles to redraw, on patch bounds and disjoint; empty if the frame equals the one before.
  const std::vector<draw::Rect>& update(const ImDrawData&);
  void reset() { digests_.clear(); }       // the next update redraws everything
  double share() const { return share_; }  // fraction of the screen that the last update found changed

 private:
  std::vector<std::uint64_t> digests_, next_;
  std::vector<draw::Rect> rects_;
  int wide_ = 0, high_ = 0;
  double share_ = 0;
};

// During its lifetime the frame's lists contain only what touches the rectangles, clipped to them; the destructor
// restores them.
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
