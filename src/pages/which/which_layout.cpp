#include "pages/which/which_layout.h"

#include <cmath>

namespace tilewalk {

// The call has the width of its fields. Where there is space, all checks of the backends are shown in full, with
// advice beside them; the answer is across the top of both.
WhichLayout which_layout(const Layout& layout) {
  const PageScale& scale = layout.scale;
  const auto& [edge, top, end, bottom] = layout.page;
  const float width = scale.width, gap = scale.gap;
  const float call =
      std::round(std::clamp(share(340 * scale.ui, scale.grow, width * 0.34f), width * 0.16f, width * 0.42f));
  const bool beside = width >= 1300 * scale.s && scale.height >= 700 * scale.s;
  const float tests = edge + call + gap, rest = end - tests;
  const float answer = std::round(share((scale.grow > 1.2f ? 130 : 106) * scale.ui, scale.grow, scale.height * 0.28f)),
              below = top + answer + gap;
  const float side = std::round(tests + rest * (beside ? 0.61f : 0.5f));
  const float cut = std::round(below + (bottom - below) * (beside ? 0.66f : 0.56f));
  WhichLayout out;
  out.call = {edge, top, edge + call, bottom};
  out.answer = {tests, top, end, top + answer};
  out.cards = {tests, below, beside ? side : end, beside ? bottom : cut};
  out.so = beside ? draw::Rect{side + gap, below, end, cut} : draw::Rect{tests, cut + gap, side, bottom};
  out.names = {side + gap, cut + gap, end, bottom};
  out.profile = {tests, top, side, bottom};
  out.profile_name = {side + gap, top, end, bottom};
  return out;
}

}  // namespace tilewalk
