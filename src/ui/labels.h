// Positions for the words of a plot, so that words cover neither other words nor marks.
#pragma once

#include <cstdint>
#include <vector>

#include "ui/draw.h"

namespace tilewalk {

// Every how many of equal cells a label has space: a power of two. need: the space of a label with its gap.
std::int64_t label_stride(float need, float pitch);
// The same, but where not every cell has space, labels are few: `apart` times that space from one to the next.
std::int64_t sparse_label_stride(float need, float pitch, float apart = 3);

class Labels {
 public:
  explicit Labels(const draw::Rect& within) : within_(within) {}

  void keep_free(const draw::Rect& taken) { taken_.push_back(taken); }  // reserves the area of a mark

  // Returns the first of the top left corners, best first, at which words of that size cover nothing and stay inside.
  // If there is none, returns the one that covers least, moved inside. The area is reserved from then on.
  draw::Rect put(const ImVec2& size, const std::vector<ImVec2>& corners);
  bool has_room(const ImVec2& size, const std::vector<ImVec2>& corners) const;  // where they meet nothing

 private:
  struct Place {
    draw::Rect rect;
    float cost = 0;  // covered area in square pixels, plus the distance that it was moved
  };
  Place best(const ImVec2& size, const std::vector<ImVec2>& corners) const;
  float covered(const draw::Rect&) const;

  draw::Rect within_;
  std::vector<draw::Rect> taken_;
};

}  // namespace tilewalk
