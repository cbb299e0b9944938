#include "pages/race/race_layout.h"

#include <cmath>

namespace tilewalk {

// A line of buttons, one of words and one of choices; one line more where the words must wrap.
RaceLayout race_layout(const Layout& layout) {
  const PageScale& scale = layout.scale;
  const auto& [edge, top, end, bottom] = layout.page;
  const float ui = scale.ui, s = scale.s, gap = scale.gap, across = scale.width - 4 * gap;
  const float strip = std::round(std::clamp((scale.width < 1540 * s ? 142 : 120) * s, 40 * ui, (bottom - top) * 0.5f));
  RaceLayout out;
  out.head = {edge, top, end, top + strip};
  out.bars = {edge, top + strip + gap, edge + std::round(across * 0.46f), bottom};
  const float table =
      std::round(bottom - std::clamp(272 * scale.e, 100 * ui, (bottom - out.bars.y0) * (scale.scarce ? 0.30f : 0.45f)));
  out.curves = {out.bars.x1 + gap, out.bars.y0, end, table - gap};
  out.table = {out.curves.x0, table, end, bottom};
  return out;
}

}  // namespace tilewalk
