// What PyTorch tries: the decision as a path through its backends, then the times of all backends on one axis.
#include "pages/which/path/draw_decision_path.h"
#include "pages/which/times/draw_time_chart.h"
#include "ui/controls.h"

namespace tilewalk {
namespace {

// A class that has not answered the page's question sees names and verdicts; then the path, and the times below it
// where they have space.
void draw_for_room(const UiFrame& f, Panel& p, const WhichPage& page) {
  const bool answered = !f.session.presents_own_question() || f.session.which().answered();
  if (answered || page.chart.bars.empty()) draw_decision_path(f, p, *page.model, answered);
  if (!answered || p.y + least_chart_height(p, page) <= p.rect.y1) draw_time_chart(f, p, page, !answered);
}

}  // namespace

void draw_which_cards_panel(const UiFrame& f, Panel& p) {
  p.caption("What PyTorch tries, in its order, not by speed");
  const WhichPage& page = *f.views.page<WhichPage>();
  if (!page.model) {
    p.y += draw::paragraph(p.list, p.fonts.body, p.fonts.tiny, p.x, p.y, p.width, p.colours.muted, page.missing);
    return;
  }
  const WhichModel& m = *page.model;
  if (!shows_controls(f)) return draw_for_room(f, p, page);
  const Font& tiny = p.fonts.tiny;
  const float top = p.y;
  p.y += draw::paragraph(p.list, tiny, tiny, p.x, p.y, p.width, p.colours.muted, m.versions + ". " + m.why_order);
  f.ui.rects.put("versions", {p.x, top, p.x + p.width, p.y});
  draw_decision_path(f, p, m, true);
  draw_time_chart(f, p, page, false);
}

}  // namespace tilewalk
