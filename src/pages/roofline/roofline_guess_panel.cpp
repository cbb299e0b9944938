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

struct WinFonts {
  const Font &figure, &because, &words;
};

// The figure with its caption, the largest thing on the page, and beside it why, then both times. Returns the height.
// draws: false measures.
float draw_win_in(const UiFrame& f, const Panel& p, const RooflinePage& m, const WinFonts& fonts, bool draws) {
  const float s = p.s, number = draw::text_width(fonts.figure, m.figure),
              caption = draw::text_width(p.fonts.tiny, m.caption), figure = std::max(number, caption) + 18 * s;
  const bool beside = figure < 0.5f * p.width;
  constexpr float kDigits = 0.86f;  // of the height of a line: digits reach no deeper
  const float figure_high = kDigits * fonts.figure.size + (m.caption.empty() ? 0 : draw::leading(p.fonts.tiny)),
              x = beside ? p.x + figure : p.x, width = p.x + p.width - x,
              top = beside ? p.y : p.y + figure_high + 4 * s;
  ImDrawList* const list = draws ? p.list : nullptr;
  float y = top;
  const auto write = [&](const Font& font, ImU32 ink, const std::string& text) {
    if (!text.empty()) y += draw::paragraph(list, font, p.fonts.tiny, x, y, width, ink, text);
  };
  write(draw::fitted(fonts.because, p.fonts.strong, m.because, width), p.colours.text, m.because);
  if (!m.because.empty()) y += 3 * s;
  write(m.because.empty() ? fonts.because : fonts.words, m.because.empty() ? p.colours.text : p.colours.muted,
        m.answer);
  write(p.fonts.body, p.colours.muted, m.misses);
  const float high = beside ? std::max(y - top, figure_high) : y - p.y;
  if (!draws) return high;
  const float at = beside ? p.y + (high - figure_high) / 2 : p.y;
  draw::text(p.list, fonts.figure, p.x + std::max(0.0f, (caption - number) / 2), at, p.colours.accent, m.figure);
  draw::text(p.list, p.fonts.tiny, p.x + std::max(0.0f, (number - caption) / 2), at + kDigits * fonts.figure.size,
             p.colours.accent, m.caption);
  f.ui.rects.put("figure", {p.x, at, p.x + figure - 18 * s, at + figure_high});
  f.ui.rects.put("answer", {x, top, x + width, y});
  return high;
}

// In the largest of these sizes in which all fits.
void draw_win(const UiFrame& f, Panel& p, const RooflinePage& m, bool alone) {
  const Fonts& fs = p.fonts;
  const float free = p.rect.y1 - 12 * p.s - p.y;
  const WinFonts sizes[] = {{fs.win, fs.title, fs.body},     {fs.win, fs.strong, fs.body},
                            {fs.win, fs.strong, fs.tiny},    {fs.figure, fs.title, fs.body},
                            {fs.figure, fs.strong, fs.body}, {fs.figure, fs.strong, fs.tiny}};
  const auto* const fonts = std::find_if(std::begin(sizes), std::end(sizes) - 1, [&](const WinFonts& each) {
    return draw_win_in(f, p, m, each, false) <= free;
  });
  const float high = draw_win_in(f, p, m, *fonts, false);
  if (alone) p.y += std::max(0.0f, (free - high) / 2);
  p.y += draw_win_in(f, p, m, *fonts, true) + (alone ? 0 : 8 * p.s);
  if (alone && p.y <= p.rect.y1) p.y = std::min(p.y, p.rect.y1 - 16 * p.s);  // it fits: no bar for scrolling
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
  if (!m.figure.empty()) draw_win(f, p, m, alone);
  if (!m.question.empty())
    p.y += draw::paragraph(p.list, p.fonts.body, p.fonts.tiny, p.x, p.y, p.width, p.colours.text, m.question) + 4 * s;
  if (!m.guesses.empty() && !m.revealed) {
    wrapped_tags(f, p, std::vector<RooflineTags>{{"my guess", m.guesses}});
  }
}

}  // namespace tilewalk
