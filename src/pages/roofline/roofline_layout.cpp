#include "pages/roofline/roofline_layout.h"

#include <cmath>

namespace tilewalk {

// The win and the choices side by side at the top; below them the plot at the left, the win over N above the table at
// the right.
RooflineLayout roofline_layout(const Layout& layout) {
  const PageScale& scale = layout.scale;
  const auto& [edge, top, end, bottom] = layout.page;
  const float ui = scale.ui, s = scale.s, e = scale.e, gap = scale.gap, width = scale.width;
  const float strip = std::round(std::clamp((width < 1000 * e ? 136 : 88) * s, 88 * ui, (bottom - top) * 0.4f));
  const float body = top + strip + gap, half = edge + std::round((width - 2 * gap) * 0.5f);
  const float wins = std::round(body + (bottom - body) * (scale.scarce              ? 0.5f
                                                          : scale.height < 860 * ui ? 0.42f
                                                                                    : 0.41f));
  RooflineLayout out;
  // The answer's figure is higher than the choices beside it.
  const float answer = width < 1000 * e ? strip : std::round(1.53f * strip);
  out.guess = {edge, top, half, top + answer};
  out.head = {half + gap, top, end, top + strip};
  out.strip = {edge, top, end, top + strip};
  out.body = {edge, body, end, bottom};
  out.plot = {edge, top + answer + gap, half, bottom};
  out.wins = {half + gap, body, end, wins};
  out.table = {half + gap, wins + gap, end, bottom};
  return out;
}

}  // namespace tilewalk
