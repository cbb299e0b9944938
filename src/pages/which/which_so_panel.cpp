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

// Folded to its title where there is no space for it: who asks which kernel runs does not ask for this.
void draw_checked(const UiFrame& f, Panel& p, const WhichModel& m) {
  CheckedUi& ui = f.ui.of<CheckedUi>();
  const float s = p.s;
  const std::string words = m.checked + " " + m.other_versions;
  for (const Font* const font : {&p.fonts.body, &p.fonts.tiny}) {
    if (f.layout.scale.stacked) break;  // there the panel is as high as its contents
    const float high = draw::paragraph(nullptr, *font, p.fonts.tiny, 0, 0, p.width, 0, words);
    if (p.y + 32 * s + high > p.rect.y1 - 14 * s) continue;
    p.y += 8 * s;
    p.caption("How this was checked");
    p.y += draw::paragraph(p.list, *font, p.fonts.tiny, p.x, p.y, p.width, p.colours.muted, words);
    return;
  }
  const char* const label = ui.open ? "Hide how this was checked" : "How this was checked";
  const float w = draw::text_width(p.fonts.body, label) + 24 * s;
  if (button(f, {.id = "which checked", .rect = {p.x, p.y, p.x + w, p.y + 26 * s}, .label = label, .tip = m.checked}))
    ui.open = !ui.open;
  p.y += 32 * s;
  if (ui.open) p.y += draw::paragraph(p.list, p.fonts.tiny, p.fonts.tiny, p.x, p.y, p.width, p.colours.muted, words);
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
  for (const std::string* line : {&m.cost_line, &m.cost_note, &m.recorded}) {
    if (line->empty()) continue;
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
