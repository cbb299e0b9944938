#include "pages/race/race_layout.h"

#include <cmath>

namespace tilewalk {

// A line of buttons, and one of words with the choice of the pass.
RaceLayout race_layout(const Layout& layout) {
  const PageScale& scale = layout.scale;
  const auto& [edge, top, end, bottom] = layout.page;
  const float ui = scale.ui, s = scale.s, gap = scale.gap, across = scale.width - 4 * gap;
  const float strip = std::round(std::clamp(92 * s, 40 * ui, (bottom - top) * 0.5f));
  RaceLayout out;
  out.head = {edge, top, end, top + strip};
  out.bars = {edge, top + strip + gap, edge + std::round(across * 0.46f), bottom};
  const float table =
      std::round(bottom - std::clamp(300 * scale.e, 100 * ui, (bottom - out.bars.y0) * (scale.scarce ? 0.30f : 0.47f)));
  out.curves = {out.bars.x1 + gap, out.bars.y0, end, table - gap};
  out.table = {out.curves.x0, table, end, bottom};
  return out;
}

}  // namespace tilewalk
