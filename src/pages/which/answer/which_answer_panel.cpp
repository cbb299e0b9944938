// The answer, across the top: the refusal, where the call has one, as the subject; what runs and why, in a sentence;
// how many times as fast as naive attention that is; and the buttons to its walk and its cost.
#include <algorithm>
#include <string_view>

#include "base/words.h"
#include "pages/which/which_page.h"
#include "ui/controls.h"
#include "ui/panels/panels.h"

namespace tilewalk {
namespace {

struct AnswerWords {
  std::string subject;            // the refusal of the call, above all else; may be empty
  std::string headline, because;  // in plain words; where nothing runs, the headline says so
  std::string figure, words;      // of the speed-up; the figure may be empty
  std::string caption;            // below the figure: "as fast as naive", "timed without the mask"
  std::string faster;             // the change that leads to a faster backend; may be empty
  bool pale = false;              // the figure is of the call without its mask
  std::string exact;              // PyTorch's name of the backend, and the unknown properties of its kernel
  bool runs = false;
};

AnswerWords words_of_answer(const WhichPage& page) {
  const WhichModel& m = *page.model;
  const bool apart = !m.so.starts_with('.') && !m.so.starts_with(':');
  std::string exact = m.headline + (apart ? " " : "") + m.so;
  if (!m.generation.empty() && m.headline != m.generation) exact += " Generation: " + m.generation + ".";
  if (!m.unknown.empty()) exact += " " + m.unknown;
  if (advice_is_in_answer(page)) exact += " " + m.no_advice;
  AnswerWords out;
  out.figure = page.win ? page.win->figure() : "";
  out.caption = page.win ? page.win->caption() : "";
  out.words = page.win ? capitalized(page.win->times()) : page.untimed;
  // The caption says once what the times below are of.
  if (page.win && m.without_mask) {
    const bool timed = std::string_view(page.win->kind) == "recorded";
    out.words.clear(), out.pale = true;
    out.caption = timed ? "timed without the mask" : "predicted without the mask";
  }
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
    const ImU32 ink = words.pale ? p.colours.muted : p.colours.accent;
    draw::text(p.list, fonts.figure, p.x, figure_top, ink, words.figure);
    draw::text(p.list, small, p.x + std::max(0.0f, (number - caption) / 2), figure_top + fonts.figure.size, ink,
               words.caption);
    f.ui.rects.put("caption", {p.x, figure_top + fonts.figure.size, p.x + caption, figure_top + high});
    f.ui.rects.put("figure", {p.x, figure_top, p.x + figure - 24 * s, figure_top + high});
  }
  return top - p.y + all;
}

float button_row_height(const Panel& p) { return std::max(28 * p.s, p.fonts.strong.em + 10 * p.s); }

// The buttons to the walk of the kernel that runs and to the cost of the call, at the panel's end.
void draw_ways_on(const UiFrame& f, Panel& p, const WhichModel& m) {
  const float s = p.s, high = button_row_height(p);
  float x = p.x;
  p.y = std::max(p.y, p.rect.y1 - 14 * s - high);
  const auto way = [&](const char* id, const char* label, const std::string& tip, bool strong) {
    const float wide = button_width(p.theme, label, 28);
    const bool clicked =
        button(f, {.id = id, .rect = {x, p.y, x + wide, p.y + high}, .label = label, .tip = tip, .strong = strong});
    x += wide + 8 * s;
    return clicked;
  };
  if (!m.cost_line.empty() &&
      way("which roofline", "What does it cost?",
          "The roofline of this call: how much faster FlashAttention is, and which limit of the GPU sets the time\n" +
              m.cost_line,
          !m.walk))
    f.push(ShowPage{Page::Roofline});
  if (m.walk) {
    if (way("walk which", "Walk it", "Opens " + m.walk_words + ", with this call's sizes", true))
      f.push(Action::WalkWhich);
    // The words whole, or those before the reason; else the tooltip has them.
    for (const std::string& words : {m.walk_words, m.walk_words.substr(0, m.walk_words.find("; "))})
      if (const std::string opens = "Opens " + words + ".";
          draw::text_width(p.fonts.tiny, opens) <= p.x + p.width - x) {
        draw::text(p.list, p.fonts.tiny, x + 4 * s, p.y + (high - p.fonts.tiny.size) / 2, p.colours.muted, opens);
        break;
      }
  }
  p.y += high;
}

}  // namespace

void draw_which_answer_panel(const UiFrame& f, Panel& p) {
  const WhichPage& page = *f.views.page<WhichPage>();
  const WhichModel& m = *page.model;
  const float s = p.s;
  draw::box(p.list, {p.rect.x0, p.rect.y0 + 8 * s, p.rect.x0 + 3 * s, p.rect.y1 - 8 * s},
            m.runs ? p.colours.accent : p.colours.bad, 0);
  const bool leads_on = shows_controls(f) && (m.walk || !m.cost_line.empty());
  const float end = p.x + p.width, top = p.y;
  AnswerWords words = words_of_answer(page);
  if (!shows_controls(f)) words.words.clear(), words.exact.clear();  // a class has the times in the chart below
  const bool asked = f.session.presents_own_question() && !f.session.which().answered();  // the room, for the reason
  if (asked) words.subject.clear(), words.faster.clear();
  if (!shows_controls(f) && !words.subject.empty()) {  // the reason and what would change it; the path has the rest
    words.figure.clear(), words.caption.clear(), words.because.clear();
    if (!words.faster.empty()) words.headline.clear();
  }
  // The largest of these sizes in which the words fit: an answer does not scroll.
  const Fonts& fs = p.fonts;
  const Font large{fs.figure.font, 0.75f * fs.figure.size, 0.75f * fs.figure.em};
  const AnswerFonts sizes[] = {
      {fs.win, fs.figure, fs.strong, fs.body},      {fs.win, fs.figure, fs.body, fs.tiny},
      {fs.win, fs.figure, fs.body, fs.tiny, false}, {fs.figure, fs.figure, fs.body, fs.tiny, false},
      {large, large, fs.body, fs.tiny, false},      {large, fs.title, fs.body, fs.tiny, false},
      {large, fs.strong, fs.tiny, fs.tiny, false},  {large, fs.tiny, fs.tiny, fs.tiny, false}};
  const float free = p.rect.y1 - 17 * s - p.y - (leads_on ? button_row_height(p) + 6 * s : 0);
  const auto* fonts = std::find_if(std::begin(sizes), std::end(sizes) - 1, [&](const AnswerFonts& each) {
    return draw_answer(f, p, words, each, end, false) <= free;
  });
  if (asked) words.because.clear();  // its place is left for it
  if (shows_controls(f)) p.y += std::max(0.0f, (free - draw_answer(f, p, words, *fonts, end, false)) / 2);
  p.y += draw_answer(f, p, words, *fonts, end, true);
  const draw::Rect answer{p.x, top, end, p.y};
  f.ui.rects.put("answer", answer);
  if (!fonts->exact && pointed_at(f, "exact answer", answer)) tooltip(f, words.exact);
  if (leads_on) draw_ways_on(f, p, m);
}

}  // namespace tilewalk
