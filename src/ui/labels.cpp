#include "ui/labels.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace tilewalk {

std::int64_t label_stride(float need, float pitch) {
  std::int64_t n = 1;
  while (float(n) * pitch < need && n < 1 << 20) n *= 2;
  return n;
}

std::int64_t sparse_label_stride(float need, float pitch, float apart) {
  return need <= pitch ? 1 : label_stride(apart * need, pitch);
}

float Labels::covered(const draw::Rect& r) const {
  float area = 0;
  for (const draw::Rect& taken : taken_)
    area += std::max(0.0f, std::min(r.x1, taken.x1) - std::max(r.x0, taken.x0)) *
            std::max(0.0f, std::min(r.y1, taken.y1) - std::max(r.y0, taken.y0));
  return area;
}

Labels::Place Labels::best(const ImVec2& size, const std::vector<ImVec2>& corners) const {
  const auto inside = [](float at, float extent, float from, float to) {
    return std::max(from, std::min(at, to - extent));
  };
  Place best{{within_.x0, within_.y0, within_.x0 + size.x, within_.y0 + size.y}, std::numeric_limits<float>::max()};
  for (const ImVec2& corner : corners) {
    const float x = inside(corner.x, size.x, within_.x0, within_.x1),
                y = inside(corner.y, size.y, within_.y0, within_.y1);
    const draw::Rect r{x, y, x + size.x, y + size.y};
    const float cost = covered(r) + std::abs(x - corner.x) + std::abs(y - corner.y);
    if (cost < best.cost) best = {r, cost};
  }
  return best;
}

draw::Rect Labels::put(const ImVec2& size, const std::vector<ImVec2>& corners) {
  taken_.push_back(best(size, corners).rect);
  return taken_.back();
}

bool Labels::has_room(const ImVec2& size, const std::vector<ImVec2>& corners) const {
  return best(size, corners).cost < 1;
}

}  // namespace tilewalk
