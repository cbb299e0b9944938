// The cells of the score matrix where a deliberate mistake shows, from its first wrong step on.
#include <algorithm>

#include "pages/walk/walk_page.h"
#include "ui/mistake_marks.h"
#include "ui/panels/scores/scores_parts.h"

namespace tilewalk {

bool marks_in_matrix(const UiFrame& f, const WrongRun& run) {
  const Step& step = f.session.state().step;
  const bool at_hand = step.in_visit() && run.row >= step.row_begin && run.row < step.row_end &&
                       run.col_begin >= step.col_begin && run.col_begin < step.col_end;
  return run.weights || !at_hand;
}

namespace {

bool is_gone(const ScoresModel& g, const WrongRun& run) {
  return g.gone && std::any_of(g.tiles.begin(), g.tiles.end(), [&](const ScoreTile& t) {
           return t.state == TileState::Done && run.row >= t.row_begin && run.row < t.row_begin + t.rows &&
                  run.col_begin >= t.col_begin && run.col_end <= t.col_begin + t.cols;
         });
}

}  // namespace

void draw_wrong_glow(const UiFrame& f, Panel& p, const ScoresModel& g, const draw::Rect& area) {
  const std::optional<FaultModel>& fault = f.views.page<WalkPage>()->fault;
  if (!fault) return;
  const float s = p.s;
  for (const WrongRun& run : fault->wrong) {
    if (!marks_in_matrix(f, run)) continue;
    const draw::Rect r = cells_rect(g, area, run.row, run.row + 1, run.col_begin, run.col_end);
    if (r.width() < 1 || r.height() < 1) continue;
    const float rounding = std::min(r.width(), r.height()) > 14 ? 3 * s : 0;
    if (!run.weights) {  // its weights are right: no colour over those that are shown, a bar in the gap beside them
      const bool gone = is_gone(g, run);
      const draw::Rect bar = gone ? draw::Rect{r.x0 + 5 * s, r.y0 + s, r.x1 - 5 * s, r.y1 - s}
                                  : draw::Rect{r.x0 - 4 * s, r.y0, r.x0, r.y1};
      draw::box(p.list, bar, gone ? with_alpha(ink_of_mistake(f, p.colours), 0.35f) : ink_of_mistake(f, p.colours), 0);
      f.ui.rects.put("wrong row " + std::to_string(run.row), bar);
      continue;
    }
    draw::box(p.list, r, with_alpha(ink_of_mistake(f, p.colours), 0.30f), rounding);
    if (r.height() < 6 * s) continue;
    draw::box(p.list, r.inset(s), 0, rounding, ink_of_mistake(f, p.colours), 3 * s);
    if (r.height() >= 24 * s) draw::box(p.list, r.inset(4.5f * s), 0, rounding, ink_of_mistake(f, p.colours), 1.2f * s);
  }
  f.ui.rects.put(fault->wrong.empty() ? "no glow" : "glow", area);
}

}  // namespace tilewalk
