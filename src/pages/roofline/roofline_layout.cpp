#include "pages/roofline/roofline_layout.h"

#include <cmath>

namespace tilewalk {

// Choices at the top; the win above the plot at the left, the win over N above the table at the right.
RooflineLayout roofline_layout(const Layout& layout) {
  const PageScale& scale = layout.scale;
  const auto& [edge, top, end, bottom] = layout.page;
  const float ui = scale.ui, s = scale.s, e = scale.e, gap = scale.gap, width = scale.width;
  const float rows = width < 560 * e ? 3 : width < 1000 * e ? 2 : 1;
  const float choices = std::round(std::clamp((28 + 30 * rows) * s, 40 * ui, (bottom - top) * 0.4f));
  const float body = top + choices + gap, half = edge + std::round((width - 2 * gap) * 0.5f);
  const float guess = std::round(body + std::clamp(136 * s, 90 * ui, (bottom - body) * (scale.scarce ? 0.32f : 0.42f)));
  const float wins = std::round(body + (bottom - body) * (scale.scarce ? 0.44f : 0.37f));
  RooflineLayout out;
  out.head = {edge, top, end, top + choices};
  out.body = {edge, body, end, bottom};
  out.guess = {edge, body, half, guess};
  out.plot = {edge, guess + gap, half, bottom};
  out.wins = {half + gap, body, end, wins};
  out.table = {half + gap, wins + gap, end, bottom};
  return out;
}

}  // namespace tilewalk
