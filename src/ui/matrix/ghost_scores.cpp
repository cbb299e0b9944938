#include "ui/matrix/ghost_scores.h"

#include <algorithm>

#include "core/schedules/registry.h"

namespace tilewalk {

void draw_ghost_scores(ImDrawList* list, const Palette& c, const Schedule& schedule, const draw::Rect& r, float s) {
  constexpr std::int64_t kMostDots = 16;  // of a side
  const Problem& p = schedule.problem();
  const auto rows = int(std::min(kMostDots, p.shape.n_q)), cols = int(std::min(kMostDots, p.shape.n_kv));
  const bool stored = row_of(p).memory.scores_in_hbm;
  const float wide = r.width() / float(cols), high = r.height() / float(rows), pitch = std::min(wide, high);
  for (int i = 0; i < rows; ++i)
    for (int j = 0; j < cols; ++j) {
      if (stored) {
        const float x = r.x0 + float(j) * wide, y = r.y0 + float(i) * high;
        list->AddRectFilled(ImVec2(x, y), ImVec2(x + wide - s, y + high - s), hue(c, TensorId::S));
        continue;
      }
      const std::int64_t row = std::int64_t((double(i) + 0.5) / rows * double(p.shape.n_q)),
                         col = std::int64_t((double(j) + 0.5) / cols * double(p.shape.n_kv));
      const bool skipped = schedule.tile_class(row / p.tiling.br, col / p.tiling.bc) == TileClass::Skipped;
      const ImVec2 at(r.x0 + (float(j) + 0.5f) * wide, r.y0 + (float(i) + 0.5f) * high);
      list->AddCircleFilled(at, std::max(1.0f, pitch * (skipped ? 0.09f : 0.23f)), skipped ? c.border : c.faint, 12);
    }
  if (!stored) draw::dashed(list, r, c.faint, {.length = 4 * s});
}

}  // namespace tilewalk
