// The row of O that the sentence names while α makes it smaller, as a room sees it: lifted off the table into the place
// of the tile, as tall as that. Each number is a bar of its own colour, lower by α within its old outline.
#include <fmt/format.h>

#include <algorithm>

#include "ui/panels/present/present_parts.h"
#include "view/sentence/sentence_parts.h"

namespace tilewalk {
namespace {

constexpr Span kLifts{0.08, 0.2}, kSettles{0.92, 1};  // of t

const PresentTableRow* row_of_table(const PresentTable& t, std::int64_t row) {
  const auto at = std::find_if(t.rows.begin(), t.rows.end(),
                               [&](const PresentTableRow& each) { return each.row == row && !each.right; });
  return at == t.rows.end() ? nullptr : &*at;
}

// The values of O that shrink; null where the table lacks their named row before the step or after it: then no row is
// lifted.
const MovingValues* lifted_output(const PresentPen& p) {
  if (!p.moving || p.moving->fade < 1 || !p.m.table.output || !kLifts.has_begun(p.moving->t)) return nullptr;
  const MovingValues* const o = p.moving->motion.of(Quantity::O);
  if (!o || o->named_row < 0 || o->shrink(o->named_row) >= 1) return nullptr;
  return row_of_table(p.m.table, o->named_row) && row_of_table(p.m.moving->table, o->named_row) ? o : nullptr;
}

float lifted_share(const PresentPen& p) { return float(kLifts.share(p.moving->t) * (1 - kSettles.share(p.moving->t))); }

draw::Rect between(const draw::Rect& a, const draw::Rect& b, float share) {
  const auto mixed = [share](float x, float y) { return x + (y - x) * share; };
  return {mixed(a.x0, b.x0), mixed(a.y0, b.y0), mixed(a.x1, b.x1), mixed(a.y1, b.y1)};
}

// A number of the lifted row: the bar within its old outline, its number in it or right above it.
void draw_bar(const PresentPen& p, const draw::Rect& outline, float height, float shade, const std::string& number) {
  const draw::Rect bar{outline.x0, outline.y1 - outline.height() * height, outline.x1, outline.y1};
  const ImU32 fill = diverging(p.c, shade);
  draw::box(p.list, bar, fill, 3 * p.s);
  draw::dashed(p.list, outline, p.c.muted, {.length = 5 * p.s, .thickness = 1.5f * p.s});
  if (number.empty()) return;
  const Font& font = p.fonts.mono;
  if (bar.height() >= font.size)
    draw::text_in(p.list, font, bar, ink_on(fill), number);
  else
    draw::text_in(p.list, font, {bar.x0, bar.y0 - font.size, bar.x1, bar.y0}, p.c.text, number);
}

}  // namespace

bool lifts_row(const PresentPen& p) { return lifted_output(p) && lifted_share(p) >= 1; }

void draw_lifted_row_for_room(const PresentPen& p) {
  const MovingValues* const o = lifted_output(p);
  if (!o) return;
  const std::int64_t row = o->named_row;
  const PresentTable& t = p.m.table;
  const bool landed = o->span.has_landed(p.moving->t);
  const PresentTableRow &was = *row_of_table(p.m.moving->table, row), &seen = landed ? *row_of_table(t, row) : was;
  std::optional<draw::Rect> home;
  for (std::size_t c = t.first_head; c < t.columns.size(); ++c)
    if (const draw::Rect* cell = p.moving->places.find(
            {PlaceKind::Output, int(Quantity::O), row, std::int64_t(c) - std::int64_t(t.first_head)}))
      home = home ? home->joined(*cell) : *cell;
  if (!home) return;
  const float lifted = lifted_share(p), pad = 10 * p.s;
  const draw::Rect card = between(*home, p.at.tile, lifted);
  draw::box(p.list, card, p.c.raised, 6 * p.s, p.c.changed, 2.5f * p.s);
  p.f.ui.rects.put("lifted row", card);
  const bool is_up = lifted >= 1;  // on its way up and down the card has the colours alone
  const std::string factor = weight_text(p.f.session.problem(), o->shrink(row));
  if (is_up)
    draw::text(p.list, p.fonts.strong, card.x0 + pad, card.y0 + pad / 2, p.c.changed,
               fmt::format("{} row {} × {}", ledger_row(Quantity::O).letter, row, factor));
  const float line = p.fonts.mono.size, top = card.y0 + pad + (p.at.title - pad + line) * lifted,
              bottom = card.y1 - pad, count = float(std::max<std::size_t>(1, t.columns.size() - t.first_head)),
              wide = (card.width() - 2 * pad) / count;
  const float height = float(p.moving->t >= kSettles.begin ? 1 : landed ? o->shrink(row) : o->height(row, p.moving->t));
  for (std::size_t c = t.first_head; c < t.columns.size(); ++c) {
    if (c >= seen.cells.size() || c >= seen.shades.size() || c >= was.cells.size()) continue;
    const float x = card.x0 + pad + float(c - t.first_head) * wide;
    const draw::Rect outline{x + 3 * p.s, top, x + wide - 3 * p.s, bottom};
    draw_bar(p, outline, height, seen.shades[c], is_up ? seen.cells[c] : "");
    if (is_up && landed) draw::text_in(p.list, p.fonts.mono, {x, top - line, x + wide, top}, p.c.muted, was.cells[c]);
    if (is_up)
      p.f.ui.rects.put("lifted bar " + std::to_string(c - t.first_head),
                       {outline.x0, outline.y1 - outline.height() * height, outline.x1, outline.y1});
  }
}

}  // namespace tilewalk
