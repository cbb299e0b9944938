#include "ui/panels/motion/moving.h"

#include <algorithm>
#include <cmath>

namespace tilewalk {

const draw::Rect* MovingPlaces::find(const MovingPlace& place) const {
  const auto found = at.find(place);
  return found == at.end() ? nullptr : &found->second;
}

std::optional<draw::Rect> MovingPlaces::all_of(PlaceKind kind, int of) const {
  std::optional<draw::Rect> all;
  for (const auto& [place, r] : at) {
    if (place.kind != kind || place.of != of) continue;
    all = all ? all->joined(r) : r;
  }
  return all;
}

std::optional<Moving> moving(const UiFrame& f) {
  const WalkPage* page = f.views.page<WalkPage>();
  const StepMotion& motion = f.session.walk().motion();
  if (!page || !page->moving || motion.t() >= 1 || !(motion.is_held() || f.ui.motion)) return std::nullopt;
  if (!motion.is_held() && !f.session.document().view.motion)
    return Moving{.step = *page->moving, .t = 1, .places = f.ui.of<MovingPlaces>(), .fade = motion.t()};
  return Moving{.step = *page->moving, .t = motion.t(), .places = f.ui.of<MovingPlaces>()};
}

bool waits_for_row(const Motion& motion, const OperandTile& operand, std::int64_t row, double t) {
  for (const MovingTile& tile : motion.tiles)
    if (tile.tensor == operand.tensor && tile.to_sram)
      return tile.unfolding.share(t) * double(operand.rows) < double(row - operand.row_begin + 1) &&
             !tile.unfolding.has_landed(t);
  return false;
}

void draw_awaited(ImDrawList* list, const draw::Rect& r, ImU32 colour, float rounding, float s) {
  draw::dashed(list, r, colour, {.length = 3 * s, .thickness = s, .corner = rounding / 2});
}

}  // namespace tilewalk
