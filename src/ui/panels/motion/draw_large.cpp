// What a step shows larger than its place: a row of the output that shrinks.
#include <fmt/format.h>

#include <algorithm>

#include "core/problem/format_value.h"
#include "pages/walk/walk_page.h"
#include "ui/panels/motion/motion_pen.h"
#include "view/sentence/sentence_parts.h"
#include "view/words/units.h"

namespace tilewalk {
namespace {

constexpr Span kLifts{0.08, 0.2}, kSettles{0.92, 1};  // of t

draw::Rect between(const draw::Rect& a, const draw::Rect& b, float share) {
  const auto mixed = [share](float x, float y) { return x + (y - x) * share; };
  return {mixed(a.x0, b.x0), mixed(a.y0, b.y0), mixed(a.x1, b.x1), mixed(a.y1, b.y1)};
}

}  // namespace

const MovingValues* lifted_row(const UiFrame& f, const Moving& m) {
  const WalkPage* const page = f.views.page<WalkPage>();
  if (!page || f.views.present || !is_hand_size(f.session.problem()) || m.fade < 1 || !kLifts.has_begun(m.t))
    return nullptr;
  const OTileModel &now = page->o_tile, &was = before_step(f).o_tile;
  if (!now.numbers || was.values.size() != now.values.size()) return nullptr;
  const auto& all = m.motion.values;
  const auto v = std::find_if(all.begin(), all.end(), [&](const MovingValues& each) {
    return each.named_row >= 0 && each.shrink(each.named_row) < 1 && each.named_row - each.row_begin < now.rows;
  });
  return v == all.end() ? nullptr : &*v;
}

void draw_lifted_row(const MotionPen& pen, const MovingValues& v) {
  const draw::Rect* const box = pen.m.places.find({PlaceKind::LiftedRow});
  if (!box || lifted_row(pen.f, pen.m) != &v) return;
  const OTileModel &now = pen.f.views.page<WalkPage>()->o_tile, &was = before_step(pen.f).o_tile;
  const std::int64_t row = v.named_row - v.row_begin;
  const double t = pen.m.t;
  std::optional<draw::Rect> home;
  for (std::int64_t c = 0; c < v.cols; ++c)
    if (const draw::Rect* cell =
            pen.m.places.find({PlaceKind::Output, int(v.quantity()), v.named_row, v.col_begin + c}))
      home = home ? home->joined(*cell) : *cell;
  if (!home) return;
  const float s = pen.s;
  const float lifted = float(kLifts.share(t) * (1 - kSettles.share(t)));
  const draw::Rect card = between(*home, *box, lifted);
  const Fonts& fonts = pen.f.theme.fonts;
  draw::box(pen.list, {card.x0 + 4 * s, card.y0 + 5 * s, card.x1 + 4 * s, card.y1 + 5 * s},
            with_alpha(pen.c.dark ? IM_COL32(0, 0, 0, 255) : pen.c.muted, 0.35f), 5 * s);
  draw::box(pen.list, card, pen.c.raised, 5 * s, pen.c.changed, 1.8f * s);
  pen.f.ui.rects.put("lifted row", card);
  const Problem& problem = pen.f.session.problem();
  const bool landed = v.span.has_landed(t);
  const bool is_up = lifted >= 1;
  const float pad = 4 * s, line = fonts.mono_small.em + 2 * s;
  const std::string title = fmt::format("{} row {} × {}", ledger_row(v.quantity()).letter, v.named_row,
                                        weight_text(problem, v.shrink(v.named_row)));
  if (is_up)
    draw::text_in(pen.list, fonts.strong,
                  {card.x0 + pad, card.y0 + 2 * s, card.x1 - pad, card.y0 + 2 * s + fonts.strong.em}, pen.c.changed,
                  title);
  // On its way up and down the card has the colours alone.
  const float top = card.y0 + 2 * s + (5 * s + fonts.strong.em + line) * lifted,
              bottom = card.y1 - (2 + 4 * lifted) * s, wide = (card.width() - 2 * pad) / float(v.cols);
  const float height = t < kSettles.begin ? float(landed ? v.shrink(v.named_row) : v.height(v.named_row, t)) : 1;
  for (std::int64_t c = 0; c < v.cols; ++c) {
    const std::size_t i = std::size_t(row * now.cols + c);
    const float old = was.values[i], value = landed ? now.values[i] : old, x = card.x0 + pad + float(c) * wide;
    const draw::Rect outline{x + 0.5f * s, top, x + wide - 0.5f * s, bottom};
    const draw::Rect bar{outline.x0, bottom - outline.height() * height, outline.x1, bottom};
    const ImU32 fill = diverging(pen.c, value / (now.largest > 0 ? now.largest : 1));
    draw::box(pen.list, bar, fill, 2 * s);
    if (!is_up) continue;
    draw::dashed(pen.list, outline, pen.c.muted, {.length = 3 * s, .thickness = s});
    if (landed)
      draw::text_in(pen.list, fonts.mono_small, {x, top - line, x + wide, top}, pen.c.muted, compact_number(old));
    draw::text_in(pen.list, fonts.mono_small, bar, ink_on(fill), compact_number(value));
  }
}

}  // namespace tilewalk
