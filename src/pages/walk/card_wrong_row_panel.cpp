// The row on the last card with the number that the check's words name: what was computed, below it what is right.
#include <fmt/format.h>

#include <algorithm>

#include "pages/walk/card_parts.h"

namespace tilewalk {

float draw_wrong_row(const UiFrame& f, Panel& p, const WrongRow& row, std::string title, const draw::Rect& area,
                     bool draws, const WrongRowSize& size) {
  const float s = p.s, x = area.x0, width = area.width();
  const Font& font = size.large ? p.fonts.mono_large : p.fonts.mono;
  const float name = draw::text_width(p.fonts.strong, "computed") + 14 * s, high = font.em + (size.tight ? 6 : 12) * s;
  float least = 0;
  for (const WrongRow::Pair& pair : row.pairs)
    least = std::max({least, draw::text_width(font, pair.is), draw::text_width(font, pair.should)});
  least += 14 * s;
  const auto all = std::int64_t(row.pairs.size());
  const std::int64_t shown = std::clamp<std::int64_t>(std::int64_t((width - name) / least), 1, all),
                     first = std::clamp<std::int64_t>(row.col - shown / 2, 0, all - shown);
  const float wide = std::min((width - name) / float(shown), 1.8f * least);
  if (shown < all) title += fmt::format(", columns {} to {}", first, first + shown - 1);
  if (draws) draw::text(p.list, p.fonts.strong, x, area.y0, p.colours.text, title);
  float y = area.y0 + draw::leading(p.fonts.strong) + 3 * s;
  for (const bool right : {false, true}) {
    if (draws)
      draw::text(p.list, p.fonts.strong, x, y + (high - p.fonts.strong.size) / 2,
                 right ? p.colours.good : p.colours.bad, right ? "right" : "computed");
    for (std::int64_t j = 0; draws && j < shown; ++j) {
      const WrongRow::Pair& pair = row.pairs[std::size_t(first + j)];
      const draw::Rect cell{x + name + wide * float(j), y, x + name + wide * float(j + 1) - 3 * s, y + high};
      const bool bad = pair.differs && !right;
      draw::box(p.list, cell, bad ? p.colours.bad_fill : p.colours.callout, 3 * s,
                bad ? p.colours.bad : p.colours.cell_line, bad ? 1.5f * s : draw::hairline());
      draw::text_in(p.list, font, cell, p.colours.text, right ? pair.should : pair.is);
    }
    if (draws) f.ui.rects.put(right ? "right row" : "wrong row", {x, y, x + name + wide * float(shown), y + high});
    y += high + 3 * s;
  }
  return y - area.y0;
}

}  // namespace tilewalk
