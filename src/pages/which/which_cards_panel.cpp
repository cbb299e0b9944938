// What PyTorch tries: the times of all backends in its order, then a card for each that was reached, with its verdict
// and its checks, one below the other. Where no time is known, each backend that was not reached is a line.
#include <algorithm>
#include <numeric>
#include <vector>

#include "pages/which/times/draw_time_chart.h"
#include "ui/controls.h"

namespace tilewalk {
namespace {

struct Look {
  ImU32 ink, border;
};

Look look_of(const Palette& c, WhichVerdict verdict) {
  switch (verdict) {
    case WhichVerdict::Runs: return {c.good, c.good};
    case WhichVerdict::Refused: return {c.warn, c.warn};
    case WhichVerdict::Raises: return {c.bad, c.bad};
    case WhichVerdict::NotReached: return {c.muted, c.border};
  }
  return {c.muted, c.border};
}

struct CardPen {
  const UiFrame& f;
  const Panel& p;
  draw::Rect rect;
  float y = 0, s = p.s;
  float left() const { return rect.x0 + 14 * s; }
  float width() const { return rect.width() - 28 * s; }
};

float check_height(const CardPen& pen, const WhichCheck& check) {
  return draw::paragraph(nullptr, pen.p.fonts.body, pen.p.fonts.tiny, 0, 0, pen.width() - 22 * pen.s, 0,
                         check_text(check)) +
         3 * pen.s;
}

void draw_check(CardPen& pen, const WhichCheck& check, const std::string& id) {
  const Palette& c = pen.p.colours;
  const float s = pen.s, high = check_height(pen, check), sign = pen.p.fonts.body.size;
  const draw::Rect mark{pen.left() - 2 * s, pen.y, pen.left() + sign, pen.y + sign + 2 * s};
  const ImU32 ink = check.mark == WhichMark::Passed ? c.text : check.mark == WhichMark::Refused ? c.warn : c.faint;
  draw::sign(pen.p.list,
             check.mark == WhichMark::Passed    ? draw::Sign::Check
             : check.mark == WhichMark::Refused ? draw::Sign::Cross
                                                : draw::Sign::Dot,
             mark, check.mark == WhichMark::Passed ? c.good : ink, s);
  draw::paragraph(pen.p.list, pen.p.fonts.body, pen.p.fonts.tiny, pen.left() + 22 * s, pen.y, pen.width() - 22 * s, ink,
                  check_text(check));
  if (hit(pen.f, id, {pen.rect.x0, pen.y, pen.rect.x1, pen.y + high}).hovered) {
    const std::string tip =
        check.mark == WhichMark::NotReached
            ? "PyTorch stops at the first check that fails. After it would have come:\n" + check.value
            : "Here: " + check.value + "\nRead from " + check.source;
    tooltip(pen.f, with_meanings(tip, check.says));
  }
  pen.y += high;
}

struct ConditionsUi {
  bool open = false;  // the conditions of the backend that runs
};

bool is_folded(const CardPen& pen, const WhichCard& card) {
  return !card.all_hold.empty() && !pen.f.ui.of<ConditionsUi>().open;
}

float line_height(const CardPen& pen) { return std::max(26 * pen.s, pen.p.fonts.body.em + 8 * pen.s); }

bool holds_beside(const CardPen& pen, const WhichCard& card) {  // its button fits on the line of its words
  const Font& font = pen.p.fonts.body;
  return 56 * pen.s + draw::text_width(font, card.all_hold) + draw::text_width(font, "Show them") <= pen.width();
}

// All that hold on one line, with the button that unfolds them beside it, or below.
void draw_all_hold(CardPen& pen, const WhichCard& card) {
  ConditionsUi& ui = pen.f.ui.of<ConditionsUi>();
  const float s = pen.s, sign = pen.p.fonts.body.size, high = line_height(pen), middle = pen.y + (high - sign) / 2;
  draw::sign(pen.p.list, draw::Sign::Check, {pen.left() - 2 * s, middle - s, pen.left() + sign, middle + sign + s},
             pen.p.colours.good, s);
  draw::text(pen.p.list, pen.p.fonts.body, pen.left() + 22 * s, middle, pen.p.colours.text, card.all_hold);
  const char* const label = ui.open ? "Hide them" : "Show them";
  const bool beside = holds_beside(pen, card);
  const float x = pen.left() + (beside ? 36 * s + draw::text_width(pen.p.fonts.body, card.all_hold) : 0),
              w = draw::text_width(pen.p.fonts.body, label) + 20 * s;
  if (!beside) pen.y += high;
  if (button(pen.f, {.id = "conditions", .rect = {x, pen.y, x + w, pen.y + high}, .label = label, .tip = ""}))
    ui.open = !ui.open;
  pen.y += high + 4 * s;
}

// Of the hint: a word of code that is wider than the card has small letters.
const Font& hint_font(const CardPen& pen, const WhichCard& card) {
  std::size_t from = 0;
  for (std::size_t at = 0; at <= card.hint.size(); ++at)
    if (at == card.hint.size() || card.hint[at] == ' ') {
      if (draw::text_width(pen.p.fonts.body, card.hint.substr(from, at - from)) > pen.width()) return pen.p.fonts.tiny;
      from = at + 1;
    }
  return pen.p.fonts.body;
}

// The verdict is above the checks, so that any number of checks can follow.
float card_height(const CardPen& pen, const WhichCard& card) {
  float high = 74 * pen.s;
  if (!card.all_hold.empty()) high += line_height(pen) * (holds_beside(pen, card) ? 1 : 2) + 4 * pen.s;
  if (is_folded(pen, card)) return high + 2 * pen.s;
  if (!card.hint.empty())
    high +=
        draw::paragraph(nullptr, hint_font(pen, card), pen.p.fonts.tiny, 0, 0, pen.width(), 0, card.hint) + 8 * pen.s;
  for (const WhichCheck& check : card.brief) high += check_height(pen, check);
  return high + 10 * pen.s;
}

void draw_card(CardPen pen, const WhichCard& card) {
  const Palette& c = pen.p.colours;
  const float s = pen.s;
  const Look look = look_of(c, card.verdict);
  pen.f.ui.rects.put("card " + card.title, pen.rect);
  draw::box(pen.p.list, pen.rect, c.raised, 8 * s, look.border,
            card.verdict == WhichVerdict::Runs ? 1.6f * s : draw::hairline());
  pen.y = pen.rect.y0 + 14 * s;
  const float badge = draw::text_width(pen.p.fonts.body, card.badge) + 6 * s;
  word(pen.f, pen.p.fonts.strong, pen.left(), pen.y, c.text,
       draw::elided(pen.p.fonts.strong, card.title, pen.width() - badge));
  draw::text_right(pen.p.list, pen.p.fonts.body, pen.left() + pen.width(), pen.y, c.muted, card.badge);
  pen.y += 24 * s;
  draw::text(pen.p.list, pen.p.fonts.strong, pen.left(), pen.y, look.ink, card.verdict_words);
  pen.y += 30 * s;
  if (!card.hint.empty())
    pen.y += draw::paragraph(pen.p.list, hint_font(pen, card), pen.p.fonts.tiny, pen.left(), pen.y - 4 * s, pen.width(),
                             c.muted, card.hint) +
             8 * s;
  if (!card.all_hold.empty()) draw_all_hold(pen, card);
  if (is_folded(pen, card)) return;
  for (std::size_t i = 0; i < card.brief.size(); ++i)
    draw_check(pen, card.brief[i], card.title + " check " + std::to_string(i));
}

// A card that PyTorch does not reach, on one line; its checks are in the tooltip. Returns its height.
float draw_line(CardPen pen, const WhichCard& card) {
  const Palette& c = pen.p.colours;
  const float s = pen.s, title = draw::text_width(pen.p.fonts.strong, card.title) + 14 * s;
  const float badge = draw::text_width(pen.p.fonts.body, card.badge) + 12 * s;
  const std::string words = card.verdict_words + ". " + card.hint;
  const bool beside = title + badge + 120 * s < pen.width();
  const float room = beside ? pen.width() - title - badge : pen.width();
  const float words_high = draw::paragraph(nullptr, pen.p.fonts.body, pen.p.fonts.tiny, 0, 0, room, 0, words);
  const float high = (beside ? words_high : words_high + 24 * s) + 22 * s, y = pen.rect.y0 + 11 * s;
  pen.rect.y1 = pen.rect.y0 + high;
  pen.f.ui.rects.put("card " + card.title, pen.rect);
  draw::box(pen.p.list, pen.rect, c.raised, 8 * s, c.border, draw::hairline());
  draw::text(pen.p.list, pen.p.fonts.strong, pen.left(), y, c.muted,
             draw::elided(pen.p.fonts.strong, card.title, pen.width() - badge));
  draw::text_right(pen.p.list, pen.p.fonts.body, pen.left() + pen.width(), y, c.muted, card.badge);
  draw::paragraph(pen.p.list, pen.p.fonts.body, pen.p.fonts.tiny, beside ? pen.left() + title : pen.left(),
                  beside ? y : y + 24 * s, room, c.muted, words);
  if (hit(pen.f, "line " + card.title, pen.rect).hovered) tooltip(pen.f, unreached_tip(card));
  return high;
}

}  // namespace

void draw_which_cards_panel(const UiFrame& f, Panel& p) {
  const float s = p.s;
  p.caption("What PyTorch tries, in its order, not by speed");
  if (!f.views.page<WhichPage>()->model) {
    p.y += draw::paragraph(p.list, p.fonts.body, p.fonts.tiny, p.x, p.y, p.width, p.colours.muted,
                           f.views.page<WhichPage>()->missing);
    return;
  }
  const WhichModel& m = *f.views.page<WhichPage>()->model;
  const bool charted = !f.views.page<WhichPage>()->chart.bars.empty();
  if (!shows_controls(f) && charted)  // a class has the chart alone
    return draw_time_chart(f, p, *f.views.page<WhichPage>(), 0);
  p.y += draw::paragraph(p.list, p.fonts.body, p.fonts.tiny, p.x, p.y, p.width, p.colours.muted,
                         m.versions + ".  " + m.why_order);
  p.y += 8 * s;
  // Reached cards in rows, left to right in PyTorch's order, as many beside each other as have legible words; each of
  // the others is a row of the chart, else a line below them.
  std::vector<const WhichCard*> reached, others;
  for (const WhichCard& card : m.cards) (card.verdict == WhichVerdict::NotReached ? others : reached).push_back(&card);
  const float gap = 10 * s, least = 200 * s;
  const auto fit = std::max<std::size_t>(1, std::size_t((p.width + gap) / (least + gap)));
  const std::size_t columns = std::max<std::size_t>(1, std::min(fit, reached.size()));
  const float wide = (p.width - gap * float(columns - 1)) / float(columns);
  std::vector<float> heights;  // of the rows of cards
  for (std::size_t i = 0; i < reached.size(); ++i) {
    const float high = card_height({f, p, {0, 0, wide, 0}}, *reached[i]);
    if (i % columns == 0) heights.push_back(high);
    heights.back() = std::max(heights.back(), high);
  }
  draw_time_chart(f, p, *f.views.page<WhichPage>(),
                  std::accumulate(heights.begin(), heights.end(), 20 * s + gap * float(heights.size())));
  for (std::size_t first = 0; first < reached.size(); first += columns) {
    const std::size_t end = std::min(first + columns, reached.size());
    const float high = heights[first / columns];
    for (std::size_t i = first; i < end; ++i) {
      const float x = p.x + float(i - first) * (wide + gap);
      draw_card({f, p, {x, p.y, x + wide, p.y + high}}, *reached[i]);
    }
    p.y += high + gap;
  }
  if (charted) return;
  for (const WhichCard* card : others) p.y += draw_line({f, p, {p.x, p.y, p.x + p.width, p.y}}, *card) + gap;
}

}  // namespace tilewalk
