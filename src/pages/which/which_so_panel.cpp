// Which changes select a faster backend, what the call costs, and how the answer was checked.
#include <algorithm>

#include "pages/which/which_page.h"
#include "ui/panels/panels.h"

namespace tilewalk {
namespace {

void draw_advice(const UiFrame& f, Panel& p, const WhichAdvice& one, std::int64_t number) {
  const float s = p.s, do_it = draw::text_width(p.fonts.body, "Do it") + 24 * s, left = p.x + do_it + 12 * s;
  const std::string after = "then " + one.then + (one.costs.empty() ? "" : "; the price: " + one.costs);
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
  p.y += std::max(high, 26 * s) + 8 * s;
}

struct CheckedUi {
  bool open = false;
};

// Its first two lines, and the rest on demand: who asks which kernel runs does not ask for this.
void draw_checked(const UiFrame& f, Panel& p, const WhichModel& m) {
  CheckedUi& ui = f.ui.of<CheckedUi>();
  const float s = p.s;
  const std::string words = m.checked + " " + m.other_versions;
  const Font& font = p.fonts.body;
  p.y += 8 * s;
  p.caption("How this was checked");
  const float whole = draw::paragraph(nullptr, font, p.fonts.tiny, 0, 0, p.width, 0, words);
  const bool folds = whole > 2.5f * draw::leading(font);
  if (folds && !ui.open) {
    const std::size_t cut = words.find(": ");
    const std::string first =
        cut == std::string::npos ? words.substr(0, words.find(". ") + 1) : words.substr(0, cut) + ".";
    p.y += draw::paragraph(p.list, font, p.fonts.tiny, p.x, p.y, p.width, p.colours.muted, first);
  } else {
    p.y += draw::paragraph(p.list, font, p.fonts.tiny, p.x, p.y, p.width, p.colours.muted, words);
  }
  if (!folds) return;
  p.y += 6 * s;
  const char* const label = ui.open ? "less" : "more";
  const float w = draw::text_width(p.fonts.body, label) + 24 * s;
  if (button(f, {.id = "which checked", .rect = {p.x, p.y, p.x + w, p.y + 26 * s}, .label = label, .tip = words}))
    ui.open = !ui.open;
  p.y += 32 * s;
}

}  // namespace

void draw_which_so_panel(const UiFrame& f, Panel& p) {
  const WhichModel& m = *f.views.page<WhichPage>()->model;
  const float s = p.s;
  p.caption(m.advice_title);
  for (std::size_t i = 0; i < m.advice.size(); ++i) draw_advice(f, p, m.advice[i], std::int64_t(i) + 1);
  if (m.advice.empty())
    p.y += draw::paragraph(p.list, p.fonts.body, p.fonts.tiny, p.x, p.y, p.width, p.colours.text, m.no_advice) + 6 * s;
  for (const std::string& note : m.notes)
    p.y += draw::paragraph(p.list, p.fonts.body, p.fonts.tiny, p.x, p.y, p.width, p.colours.warn, note) + 6 * s;
  if (!m.cost_line.empty()) {
    const float w = draw::text_width(p.fonts.body, "What does it cost?") + 24 * s;
    if (button(f, {.id = "which roofline",
                   .rect = {p.x, p.y, p.x + w, p.y + 26 * s},
                   .label = "What does it cost?",
                   .tip = "The roofline of this call: how much faster FlashAttention is, and which roof limits it"}))
      f.push(ShowPage{Page::Roofline});
    p.y += 34 * s;
  }
  const bool charted = !f.views.page<WhichPage>()->chart.bars.empty();  // with this call's recorded times
  for (const std::string* line : {&m.cost_line, &m.cost_note, &m.recorded}) {
    if (line->empty() || (line == &m.recorded && charted && !m.recorded_ms.empty())) continue;
    const bool costs = line == &m.cost_line;
    const Font& font = costs ? p.fonts.mono_small : p.fonts.body;
    p.y += draw::paragraph(p.list, font, p.fonts.tiny, p.x, p.y, p.width, p.colours.muted,
                           costs ? m.cost_title + ": " + *line : *line) +
           4 * s;
  }
  p.y += 4 * s;
  draw_checked(f, p, m);
}

}  // namespace tilewalk
