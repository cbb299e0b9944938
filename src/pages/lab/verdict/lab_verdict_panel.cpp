// The verdict on the last run, the largest words of the page, and the button of the next task once this one is solved.
#include <algorithm>

#include "pages/lab/lab_model.h"
#include "pages/lab/verdict/lab_findings.h"

namespace tilewalk {
namespace {

struct VerdictFonts {
  const Font &figure, &words;
};

// Returns the height. draws: false measures.
float draw_verdict(const UiFrame& f, const Panel& p, const LabVerdict& m, const VerdictFonts& fonts, float width,
                   bool draws) {
  const Palette& c = p.colours;
  const ImU32 ink = !m.good ? c.muted : *m.good ? c.good : c.bad;
  const float sign = m.good ? fonts.figure.size : 0, left = p.x + (m.good ? sign + 8 * p.s : 0), room = p.x + width;
  float y = p.y;
  if (m.good && draws)
    draw::sign(p.list, *m.good ? draw::Sign::Check : draw::Sign::Cross, {p.x, y, p.x + sign, y + sign}, ink,
               1.4f * p.s);
  y += draw::paragraph(draws ? p.list : nullptr, fonts.figure, p.fonts.tiny, left, y, room - left, ink, m.figure);
  if (draws) f.ui.rects.put("figure", {left, p.y, room, y});
  const float top = y;
  if (!m.words.empty())
    y += draw::paragraph(draws ? p.list : nullptr, fonts.words, p.fonts.tiny, p.x, y, width, m.good ? c.text : c.muted,
                         m.words);
  if (draws) f.ui.rects.put("verdict", {p.x, top, room, y});
  return y - p.y;
}

}  // namespace

void draw_lab_findings(const UiFrame& f, Panel& p, const std::vector<std::string>& findings) {
  if (findings.empty()) return;
  const float s = p.s, top = p.y;
  const auto draw_all = [&](ImDrawList* list, const Font& font) {
    float y = top;
    for (const std::string& each : findings)
      y += draw::paragraph(list, font, p.fonts.tiny, p.x, y, p.width, p.colours.warn, each) + 4 * s;
    return y;
  };
  const bool fit = draw_all(nullptr, p.fonts.body) <= p.rect.y1 - 10 * s;
  p.y = draw_all(p.list, fit ? p.fonts.body : p.fonts.tiny);
  const Font& font = fit ? p.fonts.body : p.fonts.tiny;
  f.ui.rects.put("finding",
                 {p.x, top, p.x + p.width,
                  top + draw::paragraph(nullptr, font, p.fonts.tiny, p.x, top, p.width, 0, findings.front())});
}

void draw_lab_verdict_panel(const UiFrame& f, Panel& p) {
  const LabPage& page = *f.views.page<LabPage>();
  if (page.tasks.empty()) return;
  const float s = p.s, top = p.y;
  const float next = page.next ? button_width(p.theme, "Next task", 40) : 0;
  const bool beside = next > 0 && p.width - next > 1.6f * next;
  const float width = p.width - (beside ? next + 16 * s : 0);
  if (page.next) {
    const float x = beside ? p.x + p.width - next : p.x;
    if (button(f, {.id = "next task",
                   .rect = {x, p.y, x + next, p.y + 40 * s},
                   .label = "Next task",
                   .tip = "Opens task " + std::to_string(*page.next),
                   .strong = true}))
      f.push(ChooseTask{*page.next});
    if (!beside) p.y += 48 * s;
  }
  // The largest sizes in which all words fit.
  const Fonts& fs = p.fonts;
  const VerdictFonts sizes[] = {
      {fs.figure, fs.body}, {fs.figure, fs.tiny}, {fs.title, fs.body}, {fs.title, fs.tiny}, {fs.strong, fs.tiny}};
  const float free = p.rect.y1 - 5 * s - p.y;
  const auto* fonts = f.layout.scale.stacked
                          ? &sizes[0]
                          : std::find_if(std::begin(sizes), std::end(sizes) - 1, [&](const VerdictFonts& each) {
                              return draw_verdict(f, p, page.verdict, each, width, false) <= free;
                            });
  if (!f.layout.scale.stacked)
    p.y += std::max(0.0f, (free - draw_verdict(f, p, page.verdict, *fonts, width, false)) / 2);
  p.y += draw_verdict(f, p, page.verdict, *fonts, width, true);
  halo(f, p.list, "lab-verdict", {p.x - 5 * s, top - 3 * s, p.x + width, p.y});
  if (p.y <= p.rect.y1) p.y = std::min(p.y, p.rect.y1 - 16 * s);  // it fits: no bar for scrolling
}

}  // namespace tilewalk
