#include "render/moving_picture.h"

#include <algorithm>
#include <cstring>

namespace tilewalk {

PictureRect changed_part(const Picture& before, const Picture& now) {
  if (before.width != now.width || before.height != now.height) return {0, 0, now.width, now.height};
  const std::size_t row = std::size_t(now.width) * 3;
  int top = 0, bottom = now.height, left = now.width, right = 0;
  const auto same = [&](int y) {
    return std::memcmp(&before.rgb[std::size_t(y) * row], &now.rgb[std::size_t(y) * row], row) == 0;
  };
  while (top < bottom && same(top)) ++top;
  while (bottom > top && same(bottom - 1)) --bottom;
  if (top == bottom) return {0, 0, 1, 1};
  for (int y = top; y < bottom; ++y) {
    const std::uint8_t *a = &before.rgb[std::size_t(y) * row], *b = &now.rgb[std::size_t(y) * row];
    const auto first = std::mismatch(a, a + row, b).first;
    if (first == a + row) continue;
    left = std::min(left, int(first - a) / 3);
    std::size_t last = row;
    while (a[last - 1] == b[last - 1]) --last;
    right = std::max(right, int(last + 2) / 3);
  }
  return {left, top, right - left, bottom - top};
}

Picture cut_out(const Picture& picture, const PictureRect& r) {
  Picture out{r.width, r.height, {}};
  out.rgb.reserve(std::size_t(r.width) * std::size_t(r.height) * 3);
  for (int y = r.y; y < r.y + r.height; ++y) {
    const auto row = picture.rgb.begin() + (std::ptrdiff_t(y) * picture.width + r.x) * 3;
    out.rgb.insert(out.rgb.end(), row, row + std::ptrdiff_t(r.width) * 3);
  }
  return out;
}

}  // namespace tilewalk
