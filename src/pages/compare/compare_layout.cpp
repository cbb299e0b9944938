#include "pages/compare/compare_layout.h"

#include <cmath>

namespace tilewalk {
namespace {

constexpr float kLeastLanes = 222, kLeastFoot = 110;  // heights, before scaling

}  // namespace

// The foot has space for the whole table of differences if the lanes keep half of the page.
CompareLayout compare_layout(const Layout& layout) {
  const auto& [edge, top, end, bottom] = layout.page;
  const float ui = layout.scale.ui, gap = layout.scale.gap, across = layout.scale.width - 4 * gap;
  const float tall = bottom - top - strip_height(layout.scale) - gap,
              foot = std::max(tall * 0.42f, std::min(tall * 0.60f, 414 * layout.scale.e));
  // In a low page the foot, which scrolls, leaves its space to the lanes and the walk's buttons.
  const float steps = std::round(std::max(38 * layout.scale.s, 24 * ui)), lanes = kLeastLanes * layout.scale.s;
  if (layout.lanes_alone) {
    CompareLayout out;
    out.head = {edge, top, end, top + strip_height(layout.scale)};
    out.steps = {edge, bottom - steps, end, bottom};
    out.lanes = {edge, out.head.y1 + gap, end, out.steps.y0 - gap};
    return out;
  }
  const float low =
      std::round(bottom - std::max(kLeastFoot * layout.scale.s,
                                   std::min(std::clamp(foot, 150 * ui, 465 * ui), tall - lanes - steps - 2 * gap)));
  CompareLayout out;
  out.head = {edge, top, end, top + strip_height(layout.scale)};
  out.steps = {edge, low - gap - steps, end, low - gap};
  out.lanes = {edge, out.head.y1 + gap, end, out.steps.y0 - gap};
  out.waves_left = {edge, low, edge + std::round(across * 0.29f), bottom};
  out.waves_right = {out.waves_left.x1 + gap, low, out.waves_left.x1 + gap + std::round(across * 0.29f), bottom};
  out.table = {out.waves_right.x1 + gap, low, end, bottom};
  return out;
}

draw::Rect lanes_area(const draw::Rect& panel, const Theme& theme) {
  const float s = theme.s;
  return {panel.x0 + 14 * s + 112 * s, panel.y0 + 46 * s, panel.x1 - 18 * s, panel.y1 - 42 * s};
}

draw::Rect squares_area(const draw::Rect& panel, const Theme& theme) {
  const float s = theme.s, words = std::min(20 * s + 92 * theme.e, panel.height() * 0.5f);
  return {panel.x0 + 14 * s, panel.y0 + 38 * s, panel.x1 - 14 * s, panel.y1 - words};
}

}  // namespace tilewalk
