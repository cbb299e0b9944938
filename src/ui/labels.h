// Places for the words of a plot, so that no words lie on others or on a mark.
#pragma once

#include <vector>

#include "ui/draw.h"

namespace tilewalk {

class Labels {
 public:
  explicit Labels(const draw::Rect& within) : within_(within) {}

  void keep_free(const draw::Rect& taken) { taken_.push_back(taken); }  // of a mark

  // Of the left top corners, given by their worth, the first at which words of that size meet nothing and stay within;
  // where there is none, the one that covers least. Moved within, and taken from now on.
  draw::Rect put(const ImVec2& size, const std::vector<ImVec2>& corners);
  bool has_room(const ImVec2& size, const std::vector<ImVec2>& corners) const;  // where they meet nothing

 private:
  struct Place {
    draw::Rect rect;
    float cost = 0;  // what it covers, in square pixels, and how far it was moved
  };
  Place best(const ImVec2& size, const std::vector<ImVec2>& corners) const;
  float covered(const draw::Rect&) const;

  draw::Rect within_;
  std::vector<draw::Rect> taken_;
};

}  // namespace tilewalk
