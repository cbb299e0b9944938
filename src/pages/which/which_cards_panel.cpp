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

struct CheckedUi {
  bool open = false;
};

// How the answer was checked: a row at the right of the panel's title, whose words are below it while it is open.
void draw_checked(const UiFrame& f, Panel& p, const WhichModel& m, float top) {
  bool& open = f.ui.of<CheckedUi>().open;
  const float s = p.s, sign = p.fonts.body.size, end = p.x + p.width;
  const char* const label = "How this was checked";
  const draw::Rect row{end - sign - 8 * s - draw::text_width(p.fonts.tiny, label), top, end, top + sign + 4 * s};
  draw::text(p.list, p.fonts.tiny, row.x0, top, p.colours.muted, label);
  draw::sign(p.list, open ? draw::Sign::Up : draw::Sign::Down, {end - sign, top, end, top + p.fonts.tiny.size},
             p.colours.muted, s);
  const std::string words = m.checked + " " + m.other_versions;
  const Hit at = hit(f, "which checked", row);
  if (at.hovered && !open) tooltip(f, words);
  if (at.clicked) open = !open;
  if (!open) return;
  const float high = draw::paragraph(p.list, p.fonts.tiny, p.fonts.tiny, p.x, p.y, p.width, p.colours.muted, words);
  f.ui.rects.put("checked words", {p.x, p.y, end, p.y + high});
  p.y += high;
}

}  // namespace

void draw_which_cards_panel(const UiFrame& f, Panel& p) {
  const float title = p.y;
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
  draw_checked(f, p, m, title);
  draw_decision_path(f, p, m, true);
  draw_time_chart(f, p, page, false);
}

}  // namespace tilewalk
