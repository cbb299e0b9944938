#include "ui/panels/motion/number_way.h"

#include <algorithm>

namespace tilewalk {

std::vector<ImVec2> number_way(const draw::Rect& from, const draw::Rect& to, std::optional<float> gap) {
  const ImVec2 a = from.middle(), b = to.middle();
  if (!gap) return {a, b};
  return {a, {*gap, a.y}, {*gap, b.y}, b};
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
