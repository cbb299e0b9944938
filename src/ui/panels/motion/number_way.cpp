#include "ui/panels/motion/number_way.h"

#include <algorithm>
#include <cmath>

namespace tilewalk {
namespace {

float distance(const ImVec2& a, const ImVec2& b) { return std::hypot(b.x - a.x, b.y - a.y); }
ImVec2 way_end(const draw::Rect& r) { return {(r.x0 + r.x1) / 2, (r.y0 + r.y1) / 2}; }

}  // namespace

ImVec2 NumberWay::at(float share) const {
  float length = 0;
  for (std::size_t i = 0; i + 1 < corners.size(); ++i) length += distance(corners[i], corners[i + 1]);
  float left = length * std::clamp(share, 0.0f, 1.0f);
  for (std::size_t i = 0; i + 1 < corners.size(); ++i) {
    const ImVec2 &a = corners[i], &b = corners[i + 1];
    const float part = distance(a, b);
    if (left <= part && part > 0) return {a.x + (b.x - a.x) * left / part, a.y + (b.y - a.y) * left / part};
    left -= part;
  }
  return corners.back();
}

NumberWay number_way(const draw::Rect& from, const draw::Rect& to, std::optional<float> gap) {
  const ImVec2 a = way_end(from), b = way_end(to);
  if (!gap) return {{a, b}};
  return {{a, {*gap, a.y}, {*gap, b.y}, b}};
}

std::vector<draw::Rect> parts_outside(const draw::Rect& whole, const std::vector<draw::Rect>& others) {
  std::vector<draw::Rect> parts{whole};
  for (const draw::Rect& other : others) {
    std::vector<draw::Rect> left;
    for (const draw::Rect& r : parts) {
      const float x0 = std::max(r.x0, other.x0), x1 = std::min(r.x1, other.x1), y0 = std::max(r.y0, other.y0),
                  y1 = std::min(r.y1, other.y1);
      if (x0 >= x1 || y0 >= y1) {
        left.push_back(r);
        continue;
      }
      for (const draw::Rect& rest : {draw::Rect{r.x0, r.y0, r.x1, y0}, draw::Rect{r.x0, y1, r.x1, r.y1},
                                     draw::Rect{r.x0, y0, x0, y1}, draw::Rect{x1, y0, r.x1, y1}})
        if (rest.width() > 0 && rest.height() > 0) left.push_back(rest);
    }
    parts = std::move(left);
  }
  return parts;
}

}  // namespace tilewalk
