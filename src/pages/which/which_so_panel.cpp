// Which changes of the call select a faster backend, and what its cost leaves out.
#include <algorithm>

#include "pages/which/which_page.h"
#include "ui/panels/panels.h"

namespace tilewalk {
namespace {

void draw_advice(const UiFrame& f, Panel& p, const WhichAdvice& one, std::int64_t number) {
  const float s = p.s, do_it = draw::text_width(p.fonts.body, "Do it") + 24 * s, left = p.x + do_it + 12 * s;
  const std::string after = "then " + one.then + (one.costs.empty() ? "" : "; price: " + one.costs);
  const float room = p.x + p.width - left;
  const float high = draw::paragraph(nullptr, p.fonts.mono_small, p.fonts.tiny, 0, 0, room, 0, one.words) +
                     draw::paragraph(nullptr, p.fonts.body, p.fonts.tiny, 0, 0, room, 0, after);
  const std::string id = "advice " + std::to_string(number);
  if (button(f, {.id = id,
                 .rect = {p.x, p.y, p.x + do_it, p.y + 26 * s},
                 .label = "Do it",
                 .tip = "Changes the call so, and asks again"}))
    f.push(TakeAdvice{number});
  float y = p.y;
  y += draw::paragraph(p.list, p.fonts.mono_small, p.fonts.tiny, left, y, room, p.colours.text, one.words);
  draw::paragraph(p.list, p.fonts.body, p.fonts.tiny, left, y, room, p.colours.muted, after);
  p.y += std::max(high, 26 * s) + 4 * s;
}

}  // namespace

void draw_which_so_panel(const UiFrame& f, Panel& p) {
  const WhichPage& page = *f.views.page<WhichPage>();
  const WhichModel& m = *page.model;
  const float s = p.s;
  p.caption(m.advice_title);
  for (std::size_t i = 0; i < m.advice.size(); ++i) draw_advice(f, p, m.advice[i], std::int64_t(i) + 1);
  if (m.advice.empty())
    p.y += draw::paragraph(p.list, p.fonts.body, p.fonts.tiny, p.x, p.y, p.width, p.colours.text, m.no_advice) + 6 * s;
  for (const std::string& note : m.notes)
    p.y += draw::paragraph(p.list, p.fonts.body, p.fonts.tiny, p.x, p.y, p.width, p.colours.warn, note) + 6 * s;
  if (shows_recorded_words(page))
    p.y += draw::paragraph(p.list, p.fonts.body, p.fonts.tiny, p.x, p.y, p.width, p.colours.muted, m.recorded) + 4 * s;
  if (!m.cost_note.empty())
    p.y += draw::paragraph(p.list, p.fonts.body, p.fonts.tiny, p.x, p.y, p.width, p.colours.muted, m.cost_note) + 4 * s;
}

}  // namespace tilewalk
