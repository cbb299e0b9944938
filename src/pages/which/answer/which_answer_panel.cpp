// The answer, across the top: the refusal, where the call has one, as the subject; what runs and why, in a sentence;
// how many times as fast as naive attention that is; and the button to its walk.
#include <algorithm>

#include "base/words.h"
#include "pages/which/walk_it.h"
#include "pages/which/which_page.h"
#include "ui/controls.h"
#include "ui/panels/panels.h"
#include "ui/panels/tag_rows.h"

namespace tilewalk {
namespace {

struct AnswerWords {
  std::string subject;            // the refusal of the call, above all else; may be empty
  std::string headline, because;  // in plain words; where nothing runs, the headline says so
  std::string figure, words;      // of the speed-up; the figure may be empty
  std::string caption;            // below the figure: "as fast as naive", "timed without the mask"
  std::string faster;             // the change that leads to a faster backend; may be empty
  bool outlined = false;          // the figure is of the call without its mask
  std::string exact;              // PyTorch's name of the backend, and the unknown properties of its kernel
  bool runs = false;
};

AnswerWords words_of_answer(const WhichPage& page) {
  const WhichModel& m = *page.model;
  const bool apart = !m.so.starts_with('.') && !m.so.starts_with(':');
  std::string exact = m.headline + (apart ? " " : "") + m.so;
  if (!m.generation.empty() && m.headline != m.generation) exact += " Generation: " + m.generation + ".";
  if (!m.unknown.empty()) exact += " " + m.unknown;
  AnswerWords out;
  out.figure = page.win ? page.win->figure() : "";
  out.caption = page.win ? page.win->caption() : "";
  out.words = page.win ? capitalized(page.win->times()) : page.untimed;
  // The caption says once what the times below are of.
  if (page.win && !page.untimed.empty()) out.words.clear(), out.caption = "timed without the mask", out.outlined = true;
  out.faster = page.faster;
  out.runs = m.runs;
  out.subject = m.plain.refusal;
  if (m.plain.runs.empty()) return out.headline = exact, out;
  out.headline = m.plain.runs, out.because = m.plain.because, out.exact = exact;
  return out;
}

struct AnswerFonts {
  const Font &figure, &headline, &because, &words;  // headline: the largest of the refusal, or of the headline
  bool exact = true;                                // false: the exact answer is in the tooltip alone
};

// Letters without a fill, as the chart's bars of such times have none.
void draw_outlined(const Panel& p, const Font& font, float x, float y, const std::string& text) {
  const float edge = 1.5f * p.s;
  for (const auto& [dx, dy] : {std::pair{-1.0f, 0.0f},
                               {1.0f, 0.0f},
                               {0.0f, -1.0f},
                               {0.0f, 1.0f},
                               {-0.7f, -0.7f},
                               {0.7f, -0.7f},
                               {-0.7f, 0.7f},
                               {0.7f, 0.7f}})
    draw::text(p.list, font, x + dx * edge, y + dy * edge, p.colours.accent, text);
  draw::text(p.list, font, x, y, p.colours.panel, text);
}

// The refusal on one line; below it the figure, and the sentence beside it, with its words and the exact answer below.
// In a narrow panel the figure is above them. Returns the height. draws: false measures.
float draw_answer(const UiFrame& f, const Panel& p, const AnswerWords& words, const AnswerFonts& fonts, float end,
                  bool draws) {
  const float s = p.s;
  ImDrawList* const list = draws ? p.list : nullptr;
  const Font& least = fonts.headline.em > p.fonts.title.em ? p.fonts.title : fonts.headline;
  float top = p.y;
  if (!words.subject.empty()) {
    const Font font = draw::fitted(fonts.headline, least, words.subject, end - p.x);
    const float high = draw::paragraph(list, font, font, p.x, top, end - p.x, p.colours.warn, words.subject);
    if (draws) f.ui.rects.put("subject", {p.x, top, end, top + high});
    top += high;
  }
  const float number = draw::text_width(fonts.figure, words.figure);
  const Font& small =
      draw::text_width(p.fonts.strong, words.caption) <= number + 12 * s ? p.fonts.strong : p.fonts.tiny;
  const float caption = draw::text_width(small, words.caption);
  const float figure = words.figure.empty() ? 0 : std::max(number, caption) + 24 * s;
  const bool beside = end - p.x - figure >= 0.5f * p.width;
  const float x = p.x + (beside ? figure : 0),
              high = words.figure.empty() ? 0 : fonts.figure.size + (caption > 0 ? draw::leading(small) : 0);
  float y = top + (beside ? 0 : high + 6 * s);
  const auto write = [&](const Font& font, ImU32 ink, const std::string& text) {
    if (!text.empty()) y += draw::paragraph(list, font, p.fonts.tiny, x, y, end - x, ink, text);
  };
  const float headline_top = y;
  // A class reads the answer alone; elsewhere the figure is larger.
  const bool leads = words.subject.empty() && !shows_controls(f);
  write(leads ? draw::fitted(fonts.headline, least, words.headline, end - x) : least,
        words.runs ? p.colours.text : p.colours.bad, words.headline);
  if (draws) f.ui.rects.put("headline", {x, headline_top, end, y});
  if (draws && !words.because.empty()) f.ui.rects.put("because", {x, y, end, y + fonts.because.size});
  write(fonts.because, p.colours.text, words.because);
  write(fonts.because, p.colours.accent, words.faster);
  if (!words.words.empty() || (fonts.exact && !words.exact.empty())) y += 6 * s;
  write(fonts.words, p.colours.text, words.words);
  if (fonts.exact) write(fonts.words, p.colours.muted, words.exact);
  const float all = std::max(y - top, high), figure_top = beside ? top + (all - high) / 2 : top;
  if (draws && !words.figure.empty()) {
    if (words.outlined)
      draw_outlined(p, fonts.figure, p.x, figure_top, words.figure);
    else
      draw::text(p.list, fonts.figure, p.x, figure_top, p.colours.accent, words.figure);
    draw::text(p.list, small, p.x + std::max(0.0f, (number - caption) / 2), figure_top + fonts.figure.size,
               p.colours.accent, words.caption);
    f.ui.rects.put("caption", {p.x, figure_top + fonts.figure.size, p.x + caption, figure_top + high});
    f.ui.rects.put("figure", {p.x, figure_top, p.x + figure - 24 * s, figure_top + high});
  }
  return top - p.y + all;
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
  const bool walks = m.walk && shows_controls(f), beside = walks && p.width - walk > 420 * s;
  const float end = beside ? p.x + p.width - walk - 20 * s : p.x + p.width, top = p.y;
  AnswerWords words = words_of_answer(page);
  if (!shows_controls(f)) words.words.clear(), words.exact.clear();        // a class has the times in the chart below
  if (f.session.presents_own_question() && !f.session.which().answered())  // the room is asked for the reason
    words.subject.clear(), words.because.clear(), words.faster.clear();
  if (!shows_controls(f) && !words.subject.empty()) {  // the reason and what would change it; the path has the rest
    words.figure.clear(), words.caption.clear(), words.because.clear();
    if (!words.faster.empty()) words.headline.clear();
  }
  // The largest of these sizes in which the words fit: an answer does not scroll.
  const Fonts& fs = p.fonts;
  const Font large{fs.figure.font, 0.75f * fs.figure.size, 0.75f * fs.figure.em};
  const AnswerFonts sizes[] = {
      {fs.win, fs.figure, fs.strong, fs.body},         {fs.win, fs.figure, fs.body, fs.tiny},
      {fs.figure, fs.figure, fs.body, fs.tiny},        {fs.figure, fs.figure, fs.body, fs.tiny, false},
      {fs.figure, large, fs.body, fs.tiny, false},     {fs.figure, fs.title, fs.body, fs.tiny, false},
      {fs.figure, fs.strong, fs.tiny, fs.tiny, false}, {fs.figure, fs.tiny, fs.tiny, fs.tiny, false}};
  float free = p.rect.y1 - 17 * s - p.y - (walks && !beside ? 44 * s : 0);
  const float row = 30 * s;  // of the changes to try, where the answer leaves it
  const bool tries = shows_controls(f) && !m.tries.tags.empty() && tags_width(p, m.tries) <= p.width &&
                     draw_answer(f, p, words, sizes[3], end, false) <= free - row;
  if (tries) free -= row;
  const auto* fonts = std::find_if(std::begin(sizes), std::end(sizes) - 1, [&](const AnswerFonts& each) {
    return draw_answer(f, p, words, each, end, false) <= free;
  });
  if (shows_controls(f) && (beside || !walks))
    p.y += std::max(0.0f, (free - draw_answer(f, p, words, *fonts, end, false)) / 2);
  p.y += draw_answer(f, p, words, *fonts, end, true);
  const draw::Rect answer{p.x, top, end, p.y};
  f.ui.rects.put("answer", answer);
  if (tries) {
    float y = p.rect.y1 - 13 * s - 24 * s;
    tag_row(f, p, m.tries, p.x, y);
    f.ui.rects.put("tries", {p.x, y, p.x + tags_width(p, m.tries), y + 24 * s});
  }
  if (!fonts->exact && pointed_at(f, "exact answer", answer)) tooltip(f, words.exact);
  if (!walks) return;
  const float below = p.y;
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
