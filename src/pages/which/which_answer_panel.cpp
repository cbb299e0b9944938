// The answer, across the top: how many times as fast as naive attention, what runs, and the button to its walk.
#include <algorithm>

#include "pages/which/walk_it.h"
#include "pages/which/which_page.h"
#include "ui/panels/panels.h"

namespace tilewalk {
namespace {

std::string what_runs(const WhichModel& m) {
  const bool apart = !m.so.starts_with('.') && !m.so.starts_with(':');
  std::string words = m.headline + (apart ? " " : "") + m.so;
  if (!m.generation.empty() && m.headline != m.generation) words += " Generation: " + m.generation + ".";
  if (!m.unknown.empty()) words += " " + m.unknown;
  return words;
}

}  // namespace

void draw_which_answer_panel(const UiFrame& f, Panel& p) {
  const WhichPage& page = *f.views.page<WhichPage>();
  const WhichModel& m = *page.model;
  const float s = p.s;
  draw::box(p.list, {p.rect.x0, p.rect.y0 + 8 * s, p.rect.x0 + 3 * s, p.rect.y1 - 8 * s},
            m.runs ? p.colours.accent : p.colours.bad, 0);
  // The button has the right end, where words beside it keep half of the line.
  const float walk = std::min(0.4f * p.width, draw::text_width(p.fonts.body, "Opens " + m.walk_words + ".") +
                                                  draw::text_width(p.fonts.strong, "Walk it") + 44 * s);
  const bool beside = m.walk && p.width - walk > 520 * s;
  const float end = beside ? p.x + p.width - walk - 20 * s : p.x + p.width, top = p.y;
  float left = p.x;
  if (page.win) {
    draw::text(p.list, p.fonts.figure, left, top, p.colours.accent, page.win->figure());
    left += draw::text_width(p.fonts.figure, page.win->figure()) + 20 * s;
  }
  if (end - left < 0.5f * p.width) left = p.x, p.y += page.win ? p.fonts.figure.size + 6 * s : 0;
  p.y += draw::paragraph(p.list, p.fonts.strong, p.fonts.tiny, left, p.y, end - left,
                         m.runs ? p.colours.text : p.colours.bad, what_runs(m));
  if (const std::string words = page.win ? page.win->words() : page.untimed; !words.empty())
    p.y += draw::paragraph(p.list, p.fonts.body, p.fonts.tiny, left, p.y + 2 * s, end - left, p.colours.muted, words);
  f.ui.rects.put("answer", {p.x, top, end, p.y});
  if (!m.walk) return;
  const float below = std::max(p.y, page.win ? top + p.fonts.figure.size : p.y) + 10 * s;
  const float x = p.x, width = p.width;
  if (beside) p.x = end + 20 * s, p.width = walk;
  p.y = beside ? top + 4 * s : below;
  draw_walk_it(f, p, "walk which", "Opens the schedule that shows it, with this call's sizes", m.walk_words,
               Action::WalkWhich);
  p.x = x, p.width = width;
  p.y = std::max(below, p.y);
}

}  // namespace tilewalk
