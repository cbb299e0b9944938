#include "ui/panels/motion/number_way.h"

#include <algorithm>

namespace tilewalk {

std::vector<ImVec2> number_way(const draw::Rect& from, const draw::Rect& to, std::optional<float> gap) {
  const ImVec2 a = from.middle(), b = to.middle();
  if (!gap) return {a, b};
  return {a, {*gap, a.y}, {*gap, b.y}, b};
}

}  // namespace tilewalk
