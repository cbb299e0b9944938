#include "ui/matrix/ghost_scores.h"

#include <algorithm>

namespace tilewalk {

void draw_ghost_scores(ImDrawList* list, const Palette& c, const Schedule& schedule, const draw::Rect& r, float s) {
  constexpr int kDots = 12;
  const Problem& p = schedule.problem();
  const float pitch = r.width() / kDots;
  for (int i = 0; i < kDots; ++i)
    for (int j = 0; j < kDots; ++j) {
      const std::int64_t row = std::int64_t((double(i) + 0.5) / kDots * double(p.shape.n_q)),
                         col = std::int64_t((double(j) + 0.5) / kDots * double(p.shape.n_kv));
      const bool skipped = schedule.tile_class(row / p.tiling.br, col / p.tiling.bc) == TileClass::Skipped;
      const ImVec2 at(r.x0 + (float(j) + 0.5f) * pitch, r.y0 + (float(i) + 0.5f) * pitch);
      list->AddCircleFilled(at, std::max(1.0f, pitch * (skipped ? 0.09f : 0.23f)), skipped ? c.border : c.faint, 12);
    }
  draw::dashed(list, r, c.faint, {.length = 4 * s});
}

}  // namespace tilewalk
