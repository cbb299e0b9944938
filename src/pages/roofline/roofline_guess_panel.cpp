// The win of the page of the roofline, or what a person guesses it to be.
#include <algorithm>

#include "pages/roofline/roofline_page.h"
#include "ui/panels/panels.h"
#include "ui/panels/tag_rows.h"

namespace tilewalk {
namespace {

// At the right of the title. A person who chose to guess guesses the next call too, until the answers come at once
// again. Returns the width that they take.
float guess_buttons(const UiFrame& f, const Panel& p, const RooflinePage& m) {
  const float s = p.s, right = p.x + p.width;
  float x = right;
  const auto put = [&](const char* id, const char* label, const char* tip, Action action, bool strong) {
    const float w = draw::text_width(strong ? p.fonts.strong : p.fonts.body, label) + 24 * s;
    if (button(f,
               {.id = id, .rect = {x - w, p.y - 4 * s, x, p.y + 20 * s}, .label = label, .tip = tip, .strong = strong}))
      f.push(action);
    x -= w + 8 * s;
  };
  if (m.guesses.empty()) return 0;
  if (!m.revealed) put("reveal", "Reveal", "What the model says and what was recorded", Action::RevealWin, true);
  if (m.guesses_first)
    put("at once", "Show answers at once", "The answers of this call and of those to come, without a guess",
        Action::ShowAnswers, false);
  return right - x;
}

}  // namespace

void draw_roofline_guess_panel(const UiFrame& f, Panel& p) {
  const RooflinePage& m = *f.views.page<RooflinePage>();
  const float s = p.s;
  // Alone, the figure needs no caption: its words say what it is.
  const bool alone = m.revealed && !m.guesses_first && !m.figure.empty() && m.not_followed.empty();
  if (!alone) p.caption(m.revealed ? "Speed-up" : "Predict, then reveal", guess_buttons(f, p, m));
  if (!m.not_followed.empty())
    p.y +=
        draw::paragraph(p.list, p.fonts.body, p.fonts.tiny, p.x, p.y, p.width, p.colours.warn, m.not_followed) + 6 * s;
  const auto answers = [&](float x) {
    const float width = p.x + p.width - x, free = p.rect.y1 - 14 * s - p.y;
    // The largest of the fonts in which the words fit.
    const Font* const fonts[] = {&p.fonts.title, &p.fonts.strong, &p.fonts.body};
    const auto high = [&](const Font& font) {
      float sum = 0;
      for (const std::string* text : {&m.answer, &m.misses})
        if (!text->empty())
          sum += draw::paragraph(nullptr, text == &m.answer ? font : p.fonts.body, p.fonts.tiny, 0, 0, width, 0, *text);
      return sum;
    };
    const Font& large =
        **std::find_if(std::begin(fonts), std::end(fonts) - 1, [&](const Font* font) { return high(*font) <= free; });
    if (alone) p.y += std::max(0.0f, (free - high(large)) / 2);
    f.ui.rects.put("answer", {x, p.y, x + width, p.y + high(large)});
    for (const std::string* text : {&m.answer, &m.misses})
      if (!text->empty())
        p.y += draw::paragraph(p.list, text == &m.answer ? large : p.fonts.body, p.fonts.tiny, x, p.y, width,
                               text == &m.answer ? p.colours.text : p.colours.muted, *text) +
               (alone ? 0 : 4 * s);
  };
  if (!m.figure.empty()) {  // the largest thing on the page, its words beside it
    const float top = p.y, wide = draw::text_width(p.fonts.figure, m.figure) + 18 * s;
    draw::text(p.list, p.fonts.figure, p.x, alone ? (p.rect.y0 + p.rect.y1 - p.fonts.figure.size) / 2 : top,
               p.colours.accent, m.figure);
    answers(wide < 0.5f * p.width ? p.x + wide : p.x);
    p.y = std::max(p.y, top + p.fonts.figure.size) + (alone ? 0 : 8 * s);
  }
  if (!m.question.empty())
    p.y += draw::paragraph(p.list, p.fonts.body, p.fonts.tiny, p.x, p.y, p.width, p.colours.text, m.question) + 4 * s;
  if (!m.guesses.empty() && !m.revealed) {
    wrapped_tags(f, p, std::vector<RooflineTags>{{"my guess", m.guesses}});
  }
}

}  // namespace tilewalk
