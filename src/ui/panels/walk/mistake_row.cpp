// A wrong row of the output above the right one, and their difference.
#include <algorithm>
#include <cmath>

#include "ui/mistake_marks.h"
#include "ui/panels/motion/moving.h"
#include "ui/panels/panels.h"
#include "ui/panels/walk/fault_lines.h"

namespace tilewalk {
namespace {

constexpr const char* kDifference = "difference";

// True until the output's number in that row and column has landed.
bool waits(const std::optional<Moving>& m, Quantity quantity, std::int64_t row, std::int64_t col) {
  return m && !m->motion.has_landed(quantity, row, col, m->t);
}

}  // namespace

bool draw_mistake_row(const UiFrame& f, Panel& p, const MistakeRow& m) {
  const float s = p.s, names = draw::text_width(p.fonts.tiny, kDifference) + 10 * s;
  const float cell = std::min(72 * s, (p.width - names) / float(m.wrong.size()));
  const float room = p.rect.y1 - 6 * s - p.y - 24 * s, least = draw::leading(p.fonts.mono_small),
              line = std::clamp(room / 3, least, std::max(least, p.fonts.mono.em + 8 * s)),
              bars = std::min(room - 3 * line - 4 * s, 64 * s);
  if (cell < draw::text_width(p.fonts.mono_small, "−0.00") + 4 * s) return false;
  const Quantity quantity = shown_tile(f.session.schedule(), f.session.state()).quantity;
  const std::optional<Moving> on_way = moving(f);
  draw_code_switch(f, p, p.y, false);
  p.caption(m.title, 60 * s);
  const float left = p.x + names, top = p.y;
  const auto draw_line = [&](int at, const char* name, ImU32 ink, const std::vector<std::string>& numbers) {
    const float y = top + float(at) * line;
    draw::text(p.list, p.fonts.tiny, p.x, y + (line - p.fonts.tiny.size) / 2, ink, name);
    for (std::size_t c = 0; c < numbers.size(); ++c) {
      const draw::Rect r{left + float(c) * cell, y, left + float(c + 1) * cell - 2 * s, y + line - 2 * s};
      const bool landed = !waits(on_way, quantity, m.row, std::int64_t(c));
      const Font* const font =
          draw::font_that_fits({&p.fonts.mono, &p.fonts.mono_small}, numbers[c], r.width() - 2, r.height());
      if (landed && font) draw::text_in(p.list, *font, r, ink, numbers[c]);
    }
    f.ui.rects.put(std::string("mistake ") + name, {p.x, y, left + cell * float(numbers.size()), y + line});
  };
  draw_line(0, "wrong", ink_of_mistake(f, p.colours), m.wrong);
  draw_line(1, "right", p.colours.good, m.right);
  const float rule = top + 2 * line - 1 * s;
  p.list->AddLine({left, rule}, {left + cell * float(m.wrong.size()), rule}, p.colours.row_line, draw::hairline());
  draw_line(2, kDifference, p.colours.text, m.difference);
  p.y = top + 3 * line;
  if (bars < 22 * s) return true;
  // A bar for each difference, from a middle line: positive ones go up.
  const float middle = top + 3 * line + bars / 2;
  p.list->AddLine({left, middle}, {left + cell * float(m.wrong.size()), middle}, p.colours.row_line, draw::hairline());
  for (std::size_t c = 0; c < m.share.size(); ++c) {
    if (waits(on_way, quantity, m.row, std::int64_t(c))) continue;
    const float end = middle - float(m.share[c]) * bars / 2, x = left + (float(c) + 0.5f) * cell - s;
    const draw::Rect bar{x - 12 * s, std::min(middle, end), x + 12 * s, std::max(middle, end)};
    draw::box(p.list, bar, ink_of_mistake(f, p.colours), 0);
    f.ui.rects.put("mistake difference " + std::to_string(c), bar);
  }
  p.y += bars;
  return true;
}

}  // namespace tilewalk
