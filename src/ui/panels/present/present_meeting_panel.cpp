// The row of Q and the row of K that meet in the score of the sentence, for a room: number beside number, their
// product, and the sum as it grows.
#include <algorithm>
#include <array>

#include "base/units.h"
#include "ui/panels/present/present_parts.h"

namespace tilewalk {
namespace {

constexpr std::size_t kMeetingColumns = 4;

// Of the heads and the numbers; the two rows that meet are nearer to one another than to their product.
std::array<float, kMeetingColumns> meeting_widths(const PresentPen& p, const PresentMeeting& m) {
  std::array<float, kMeetingColumns> widths = {
      draw::text_width(p.fonts.body, m.left_title), draw::text_width(p.fonts.body, m.upper_title),
      draw::text_width(p.fonts.body, "product"), draw::text_width(p.fonts.body, "sum")};
  for (const MeetingTerm& term : m.terms) {
    const std::string* const texts[] = {&term.left, &term.upper, &term.product, &term.sum};
    for (std::size_t c = 0; c < kMeetingColumns; ++c)
      widths[c] = std::max(widths[c], draw::text_width(p.fonts.mono, *texts[c]));
  }
  float all = 0;
  for (float& width : widths) all += width += 12 * p.s;
  const float spare = std::max(0.0f, p.at.table.width() - all) / float(kMeetingColumns);
  for (float& width : widths) width += spare;
  return widths;
}

}  // namespace

void draw_present_meeting(const PresentPen& p) {
  const PresentMeeting& m = *p.m.meeting;
  const draw::Rect& r = p.at.table;
  const double t = p.moving ? p.moving->t : 1;
  const float pad = 6 * p.s, row = row_height(p, p.m.tile.rows.size());
  draw::text(p.list, p.fonts.strong, r.x0, r.y0, p.c.muted, draw::elided(p.fonts.strong, m.title, r.width()));
  const std::array<float, kMeetingColumns> widths = meeting_widths(p, m);
  const auto column = [&](std::size_t c, float y) {
    float x = r.x0;
    for (std::size_t i = 0; i < c; ++i) x += widths[i];
    return draw::Rect{x, y, x + widths[c], y + row};
  };
  const auto write = [&](const draw::Rect& box, const Font& font, ImU32 ink, const std::string& text) {
    draw::text_right(p.list, font, box.x1 - pad, box.y0 + (row - font.size) / 2, ink, text);
  };
  const ImU32 colours[] = {hue(p.c, m.left), hue(p.c, m.upper)};
  float y = r.y0 + p.at.title;
  const std::string heads[] = {m.left_title, m.upper_title, "product", "sum"};
  for (std::size_t c = 0; c < kMeetingColumns; ++c) write(column(c, y), p.fonts.body, p.c.muted, heads[c]);
  y += row;
  for (std::size_t i = 0; i < m.terms.size(); ++i, y += row) {
    const MeetingTerm& term = m.terms[i];
    const bool multiplied = term.span.has_landed(t), now = term.span.is_under_way(t);
    const std::string* const factors[] = {&term.left, &term.upper};
    for (std::size_t c = 0; c < 2; ++c) {
      const draw::Rect box = column(c, y), cell{box.x0 + 2, y + 2, box.x1 - 2, y + row - 2};
      draw::box(p.list, cell, mix(colours[c], p.c.panel, now ? 0.5f : 0.75f), 3 * p.s, now ? p.c.now_line : 0, 2 * p.s);
      write(box, p.fonts.mono, p.c.text, *factors[c]);
      const TensorId of = c == 0 ? m.left : m.upper;
      if (p.moving) p.moving->places.at[{PlaceKind::Operand, int(of), c == 0 ? m.row : m.col, std::int64_t(i)}] = cell;
    }
    if (!multiplied) continue;
    write(column(2, y), p.fonts.mono, p.c.text, term.product);
    write(column(3, y), p.fonts.mono_strong, p.c.changed, term.sum);
    p.f.ui.rects.put("product " + std::to_string(i), column(2, y));
  }
  if (m.left_out > 0) {
    draw::text(p.list, p.fonts.body, r.x0 + pad, y + (row - p.fonts.body.size) / 2, p.c.muted,
               "… and " + format_count(m.left_out) + " more products");
    y += row;
  }
  p.f.ui.rects.put("meeting", {r.x0, r.y0, r.x1, y});
}

}  // namespace tilewalk
