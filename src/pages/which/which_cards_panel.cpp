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

// On one line, and whole in the tooltip, where the panel is low.
void draw_versions(const UiFrame& f, Panel& p, const std::string& words) {
  const Font& font = p.fonts.tiny;
  if (p.rect.height() > 600 * p.s || draw::text_width(font, words) <= p.width || f.layout.scale.stacked) {
    p.y += draw::paragraph(p.list, font, font, p.x, p.y, p.width, p.colours.muted, words) + 8 * p.s;
    return;
  }
  draw::text(p.list, font, p.x, p.y, p.colours.muted, draw::elided(font, words, p.width));
  if (pointed_at(f, "versions", {p.x, p.y, p.x + p.width, p.y + font.size})) tooltip(f, words);
  p.y += draw::leading(font) + 6 * p.s;
}

}  // namespace

void draw_which_cards_panel(const UiFrame& f, Panel& p) {
  const float s = p.s;
  p.caption("What PyTorch tries, in its order, not by speed");
  const WhichPage& page = *f.views.page<WhichPage>();
  if (!page.model) {
    p.y += draw::paragraph(p.list, p.fonts.body, p.fonts.tiny, p.x, p.y, p.width, p.colours.muted, page.missing);
    return;
  }
  const WhichModel& m = *page.model;
  if (!shows_controls(f)) return draw_for_room(f, p, page);
  draw_versions(f, p, m.versions + ".  " + m.why_order);
  draw_decision_path(f, p, m, true);
  p.y += 4 * s;
  draw_time_chart(f, p, page, false);
}

}  // namespace tilewalk
