// What the call costs, which changes select a faster backend, and how the answer was checked.
#include <fmt/format.h>

#include <algorithm>

#include "pages/which/which_page.h"
#include "ui/panels/panels.h"
#include "view/words/predict_words.h"

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

// A row that opens: who asks which kernel runs does not ask for this.
void draw_checked(const UiFrame& f, Panel& p, const WhichModel& m) {
  CheckedUi& ui = f.ui.of<CheckedUi>();
  const float s = p.s, top = p.y, sign = p.fonts.body.size;
  p.y += 8 * s;
  p.caption("How this was checked");
  const draw::Rect row{p.x, top, p.x + p.width, p.y};
  draw::sign(p.list, ui.open ? draw::Sign::Up : draw::Sign::Down,
             {row.x1 - sign, top + 6 * s, row.x1, top + sign + 8 * s}, p.colours.muted, s);
  const std::string words = m.checked + " " + m.other_versions;
  const Hit at = hit(f, "which checked", row);
  if (at.hovered && !ui.open) tooltip(f, words);
  if (at.clicked) ui.open = !ui.open;
  if (!ui.open) return;
  p.y += draw::paragraph(p.list, p.fonts.body, p.fonts.tiny, p.x, p.y, p.width, p.colours.muted, words);
  f.ui.rects.put("checked words", {p.x, row.y1, p.x + p.width, p.y});
}

// A card that leads to the roofline of the call, which shows what its time is made of.
void draw_cost(const UiFrame& f, Panel& p, const WhichPage& page) {
  const WhichModel& m = *page.model;
  if (m.cost_line.empty()) return;
  const float s = p.s, pad = 14 * s, x = p.x + pad, room = p.width - 2 * pad,
              high = std::max(30 * s, p.fonts.strong.em + 10 * s);
  std::string words = "The roofline shows which limit of the GPU sets the time.";
  const bool said = page.win && !page.untimed.empty();  // the figure's caption says that the mask is not in the times
  if (const std::optional<NaiveWin>& win = page.win; win && !said)
    words = fmt::format("{} takes {}, naive {}, {}. ", win->fast, ms_text(win->fast_ms), ms_text(win->naive_ms),
                        win->kind + win->where) +
            words;
  const Font& large = room > 320 * s ? p.fonts.large : p.fonts.body;
  const auto paragraph = [&](ImDrawList* list, float y, const Font& font, ImU32 ink, const std::string& text) {
    return text.empty() ? 0 : draw::paragraph(list, font, p.fonts.tiny, x, y, room, ink, text) + 4 * s;
  };
  const auto text_high = [&](const Font& font, const std::string& text) {
    return paragraph(nullptr, 0, font, 0, text);
  };
  const draw::Rect card{p.x, p.y, p.x + p.width,
                        p.y + 2 * pad + draw::leading(p.fonts.strong) + 4 * s + text_high(large, words) + high +
                            16 * s + text_high(p.fonts.body, m.cost_note)};
  draw::box(p.list, card, p.colours.raised, 8 * s, p.colours.accent);
  f.ui.rects.put("cost card", card);
  float y = card.y0 + pad;
  draw::text(p.list, p.fonts.strong, x, y, p.colours.text,
             draw::elided(p.fonts.strong, said ? "What it costs" : m.cost_title, room));
  y += draw::leading(p.fonts.strong) + 4 * s;
  y += paragraph(p.list, y, large, p.colours.text, words) + 4 * s;
  const float wide = button_width(p.theme, "What does it cost?", 28);
  const std::string tip =
      "The roofline of this call: how much faster FlashAttention is, and which roof limits it\n" + m.cost_line;
  if (button(f, {.id = "which roofline",
                 .rect = {x, y, x + wide, y + high},
                 .label = "What does it cost?",
                 .tip = tip,
                 .strong = true}))
    f.push(ShowPage{Page::Roofline});
  y += high + 12 * s;
  paragraph(p.list, y, p.fonts.body, p.colours.muted, m.cost_note);
  p.y = card.y1 + 14 * s;
}

}  // namespace

void draw_which_so_panel(const UiFrame& f, Panel& p) {
  const WhichPage& page = *f.views.page<WhichPage>();
  const WhichModel& m = *page.model;
  const float s = p.s;
  draw_cost(f, p, page);
  p.caption(m.advice_title);
  for (std::size_t i = 0; i < m.advice.size(); ++i) draw_advice(f, p, m.advice[i], std::int64_t(i) + 1);
  if (m.advice.empty())
    p.y += draw::paragraph(p.list, p.width > 320 * s ? p.fonts.large : p.fonts.body, p.fonts.tiny, p.x, p.y, p.width,
                           p.colours.text, m.no_advice) +
           6 * s;
  for (const std::string& note : m.notes)
    p.y += draw::paragraph(p.list, p.fonts.body, p.fonts.tiny, p.x, p.y, p.width, p.colours.warn, note) + 6 * s;
  const bool charted = !page.chart.bars.empty();  // with this call's recorded times
  if (!m.recorded.empty() && !(charted && !m.recorded_ms.empty()))
    p.y += draw::paragraph(p.list, p.fonts.body, p.fonts.tiny, p.x, p.y, p.width, p.colours.muted, m.recorded) + 4 * s;
  p.y += 4 * s;
  draw_checked(f, p, m);
}

}  // namespace tilewalk
