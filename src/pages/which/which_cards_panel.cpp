// A card for each backend, in PyTorch's order: its checks, one below the other, and its verdict.
#include <algorithm>
#include <vector>

#include "pages/which/which_page.h"
#include "ui/panels/panels.h"

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

std::string check_text(const WhichCheck& check) {
  return check.mark == WhichMark::Refused ? check.says + ": yours is " + check.value : check.says;
}

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
    tooltip(pen.f.theme, with_meanings(tip, check.says));
  }
  pen.y += high;
}

// The verdict is above the checks, so that any number of checks can follow.
float card_height(const CardPen& pen, const WhichCard& card) {
  float high = 74 * pen.s;
  if (!card.hint.empty())
    high += draw::paragraph(nullptr, pen.p.fonts.body, pen.p.fonts.tiny, 0, 0, pen.width(), 0, card.hint) + 8 * pen.s;
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
    pen.y += draw::paragraph(pen.p.list, pen.p.fonts.body, pen.p.fonts.tiny, pen.left(), pen.y - 4 * s, pen.width(),
                             c.muted, card.hint) +
             8 * s;
  for (std::size_t i = 0; i < card.brief.size(); ++i)
    draw_check(pen, card.brief[i], card.title + " check " + std::to_string(i));
}

}  // namespace

void draw_which_cards_panel(const UiFrame& f, Panel& p) {
  const float s = p.s;
  p.caption("What PyTorch tries, in its order");
  if (!f.views.page<WhichPage>()->model) {
    p.y += draw::paragraph(p.list, p.fonts.body, p.fonts.tiny, p.x, p.y, p.width, p.colours.muted,
                           f.views.page<WhichPage>()->missing);
    return;
  }
  const WhichModel& m = *f.views.page<WhichPage>()->model;
  p.y += draw::paragraph(p.list, p.fonts.body, p.fonts.tiny, p.x, p.y, p.width, p.colours.muted,
                         m.versions + ".  " + m.why_order);
  p.y += 8 * s;
  // All cards in one row; else each below the shorter of two columns; else one below the other. A card has a minimum
  // width for legible words. The last card of a column extends to the panel's end.
  const float gap = 10 * s, least = 200 * s, top = p.y, bottom = p.rect.y1 - 14 * s;
  const auto fit = std::size_t((p.width + gap) / (least + gap)), all = std::max<std::size_t>(m.cards.size(), 2);
  const std::size_t columns = fit >= all ? all : fit >= 2 ? 2 : 1;
  const float wide = (p.width - gap * float(columns - 1)) / float(columns);
  std::vector<float> ends(columns, top);
  std::vector<std::size_t> lowest(columns);  // the last card of each column
  std::vector<draw::Rect> places;
  for (const WhichCard& card : m.cards) {
    const auto column = std::size_t(std::min_element(ends.begin(), ends.end()) - ends.begin());
    const float x = p.x + float(column) * (wide + gap), y = ends[column];
    lowest[column] = places.size();
    places.push_back({x, y, x + wide, y + card_height({f, p, {0, 0, wide, 0}}, card)});
    ends[column] = places.back().y1 + gap;
  }
  const float longest = std::max(bottom, *std::max_element(ends.begin(), ends.end()) - gap);
  for (std::size_t column = 0; column < std::min(columns, places.size()); ++column) places[lowest[column]].y1 = longest;
  for (std::size_t i = 0; i < m.cards.size(); ++i) draw_card({f, p, places[i]}, m.cards[i]);
  p.y = longest;
}

}  // namespace tilewalk
