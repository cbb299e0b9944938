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
  // The button has the right end, with its words below it, where the answer beside it keeps most of the line.
  const float walk = std::min(0.3f * p.width, 190 * s);
  const bool beside = m.walk && p.width - walk > 420 * s;
  const float end = beside ? p.x + p.width - walk - 20 * s : p.x + p.width, top = p.y;
  float left = p.x;
  const float figure = page.win ? draw::text_width(p.fonts.figure, page.win->figure()) + 20 * s : 0;
  const bool below_figure = end - left - figure < 0.5f * p.width;
  if (page.win)
    draw::text(p.list, p.fonts.figure, left, below_figure ? top : (p.rect.y0 + p.rect.y1 - p.fonts.figure.size) / 2,
               p.colours.accent, page.win->figure());
  if (!below_figure)
    left += figure;
  else if (page.win)
    p.y += p.fonts.figure.size + 6 * s;
  const std::string runs = what_runs(m), words = page.win ? page.win->words() : page.untimed;
  // The largest of these fonts in which the words fit: an answer does not scroll.
  const std::pair<const Font*, const Font*> sizes[] = {{&p.fonts.title, &p.fonts.body},
                                                       {&p.fonts.strong, &p.fonts.body},
                                                       {&p.fonts.strong, &p.fonts.tiny},
                                                       {&p.fonts.tiny, &p.fonts.tiny}};
  const float free = p.rect.y1 - 14 * s - p.y - (m.walk && !beside ? 44 * s : 0);
  const auto high = [&](const Font& large, const Font& small) {
    return draw::paragraph(nullptr, large, p.fonts.tiny, 0, 0, end - left, 0, runs) +
           (words.empty() ? 0 : draw::paragraph(nullptr, small, p.fonts.tiny, 0, 0, end - left, 0, words) + 2 * s);
  };
  const auto* fonts = std::find_if(std::begin(sizes), std::end(sizes) - 1,
                                   [&](const auto& each) { return high(*each.first, *each.second) <= free; });
  if (beside || !m.walk) p.y += std::max(0.0f, (free - high(*fonts->first, *fonts->second)) / 2);
  p.y += draw::paragraph(p.list, *fonts->first, p.fonts.tiny, left, p.y, end - left,
                         m.runs ? p.colours.text : p.colours.bad, runs);
  if (!words.empty())
    p.y +=
        draw::paragraph(p.list, *fonts->second, p.fonts.tiny, left, p.y + 2 * s, end - left, p.colours.muted, words) +
        2 * s;
  f.ui.rects.put("answer", {p.x, top, end, p.y});
  if (!m.walk) return;
  const float below = std::max(p.y, page.win ? top + p.fonts.figure.size : p.y);
  const char* const tip = "Opens the schedule that shows it, with this call's sizes";
  if (!beside) {
    p.y = below + 10 * s;
    return draw_walk_it(f, p, "walk which", tip, m.walk_words, Action::WalkWhich);
  }
  // Where they would not fit, the tooltip has the words after the tiles.
  std::string opens = "Opens " + m.walk_words + ".";
  const bool is_short =
      top + 34 * s + draw::paragraph(nullptr, p.fonts.tiny, p.fonts.tiny, 0, 0, walk, 0, opens) > p.rect.y1 - 14 * s;
  if (is_short) opens = opens.substr(0, std::min(opens.size() - 1, opens.find("; "))) + ".";
  const float x = end + 20 * s, wide = button_width(p.theme, "Walk it", 28);
  if (button(f, {.id = "walk which",
                 .rect = {x, top, x + wide, top + 28 * s},
                 .label = "Walk it",
                 .tip = is_short ? "Opens " + m.walk_words : tip,
                 .strong = true}))
    f.push(Action::WalkWhich);
  p.y = top + 34 * s;
  p.y += draw::paragraph(p.list, p.fonts.tiny, p.fonts.tiny, x, p.y, walk, p.colours.muted, opens);
  p.y = std::max(below, p.y);
}

}  // namespace tilewalk
