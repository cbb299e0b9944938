// The cells of the score matrix where a deliberate mistake shows, from its first wrong step on.
#include <algorithm>

#include "pages/walk/walk_page.h"
#include "ui/panels/scores/scores_parts.h"

namespace tilewalk {

bool marks_in_matrix(const UiFrame& f, const WrongRun& run) {
  const Step& step = f.session.state().step;
  const bool at_hand = step.in_visit() && run.row >= step.row_begin && run.row < step.row_end &&
                       run.col_begin >= step.col_begin && run.col_begin < step.col_end;
  return run.weights || !at_hand;
}

void draw_wrong_glow(const UiFrame& f, Panel& p, const ScoresModel& g, const draw::Rect& area) {
  const std::optional<FaultModel>& fault = f.views.page<WalkPage>()->fault;
  if (!fault) return;
  const float s = p.s;
  for (const WrongRun& run : fault->wrong) {
    if (!marks_in_matrix(f, run)) continue;
    const draw::Rect r{area.x0 + float(g.cols.at(double(run.col_begin))), area.y0 + float(g.rows.at(double(run.row))),
                       area.x0 + float(g.cols.at(double(run.col_end))),
                       area.y0 + float(g.rows.at(double(run.row + 1)))};
    if (r.width() < 1 || r.height() < 1) continue;
    const float rounding = std::min(r.width(), r.height()) > 14 ? 3 * s : 0;
    if (!run.weights) {  // its weights are right: a bar in the gap at its side, no colour over them
      const draw::Rect bar{r.x0 - 4 * s, r.y0, r.x0, r.y1};
      draw::box(p.list, bar, p.colours.bad, 0);
      f.ui.rects.put("wrong row " + std::to_string(run.row), bar);
      continue;
    }
    draw::box(p.list, r, with_alpha(p.colours.bad, 0.30f), rounding);
    if (r.height() < 6 * s) continue;
    draw::box(p.list, r.inset(s), 0, rounding, p.colours.bad, 3 * s);
    if (r.height() >= 24 * s) draw::box(p.list, r.inset(4.5f * s), 0, rounding, p.colours.bad, 1.2f * s);
  }
  f.ui.rects.put(fault->wrong.empty() ? "no glow" : "glow", area);
}

}  // namespace tilewalk
