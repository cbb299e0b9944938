// The tiles of the scores for a room: visited, skipped, still to come; before the first step with what they are.
#include <algorithm>
#include <cmath>

#include "ui/panels/present/present_parts.h"

namespace tilewalk {
namespace {

float widest(const Font& font, const std::vector<std::string>& texts) {
  float wide = 0;
  for (const std::string& text : texts) wide = std::max(wide, draw::text_width(font, text));
  return wide;
}

}  // namespace

void draw_present_map(const PresentPen& p, const draw::Rect& r) {
  const PresentMap& map = *p.m.map;
  const Font& font = p.fonts.strong;
  draw::text(p.list, font, r.x0, r.y0, p.c.muted, draw::elided(font, map.title, p.at.table.x1 - r.x0));
  // The names of tiles, where a box is large enough for them.
  const float gap = 6 * p.s, top = r.y0 + p.at.title, chip = font.size + gap,
              rows = std::max(widest(font, map.rows), widest(font, map.cols)) + 3 * gap, cols = chip + gap;
  const auto side = [&](float left, float above) {
    return std::floor(std::min((r.width() - left) / float(map.wide), (r.y1 - top - above) / float(map.high)));
  };
  const bool named = !map.rows.empty() && !map.cols.empty() && side(rows, cols) >= rows;
  const float left = named ? rows : 0, above = named ? cols : 0, box = side(left, above);
  const draw::Rect all{r.x0 + left, top + above, r.x0 + left + float(map.wide) * box,
                       top + above + float(map.high) * box};
  for (int row = 0; row < map.high; ++row)
    for (int col = 0; col < map.wide; ++col) {
      const float x = all.x0 + float(col) * box, y = all.y0 + float(row) * box;
      const draw::Rect b = draw::Rect{x, y, x + box, y + box}.inset(box > 8 * p.s ? 1.5f * p.s : 0);
      const TileState state = map.at(row, col);
      draw::box(p.list, b,
                state == TileState::Done  ? mix(p.c.accent, p.c.panel, 0.55f)
                : state == TileState::Now ? p.c.accent
                                          : p.c.panel,
                std::min(2 * p.s, box / 8), p.c.cell_line);
      if (state == TileState::Skipped) draw::hatch(p.list, b.inset(1), p.c.cell_line, 8 * p.s, p.s);
    }
  const auto name = [&](TensorId tensor, const draw::Rect& chip_box, const std::string& text) {
    const ImU32 fill = hue(p.c, tensor);
    draw::box(p.list, chip_box, fill, 4 * p.s);
    draw::text_in(p.list, font, chip_box, ink_on(fill), text);
  };
  if (named) {
    for (int row = 0; row < map.high; ++row) {
      const float y = all.y0 + (float(row) + 0.5f) * box;
      name(TensorId::Q, {r.x0, y - chip / 2, all.x0 - gap, y + chip / 2}, map.rows[std::size_t(row)]);
    }
    for (int col = 0; col < map.wide; ++col) {
      const float x = all.x0 + (float(col) + 0.5f) * box, half = (rows - gap) / 2;
      name(TensorId::K, {x - half, top, x + half, all.y0 - gap}, map.cols[std::size_t(col)]);
    }
  }
  if (map.now_row >= 0) {
    const float y = all.y0 + float(map.now_row) * box;
    draw::box(p.list, {all.x0 - 1, y, all.x1 + 1, y + box}, 0, 3 * p.s, p.c.now_line, 2.5f * p.s);
  }
  p.f.ui.rects.put("map", all);
}

void draw_present_start(const PresentPen& p) {
  const draw::Rect all{p.at.tile.x0, p.at.tile.y0, p.at.sentence.x1, p.at.sentence.y1};
  const float half = std::min(all.width() * 0.45f, all.height());
  draw_present_map(p, {all.x0, all.y0, all.x0 + half, all.y1});
  const float x = all.x0 + half + p.at.line;
  std::vector<std::string> texts = p.m.map->facts;
  texts.push_back(p.m.sentence);
  const auto draw_texts = [&](ImDrawList* list, const Font& font, float y) {
    for (const std::string& text : texts)
      y += draw::paragraph(list, font, p.fonts.tiny, x, y, all.x1 - x, &text == &texts.back() ? p.c.muted : p.c.text,
                           text) +
           p.at.line * 0.5f;
    return y - p.at.line * 0.5f;
  };
  const float y0 = all.y0 + p.at.title;
  const Font& font = draw_texts(nullptr, p.fonts.large, y0) <= all.y1 ? p.fonts.large : p.fonts.body;
  p.f.ui.rects.put("facts", {x, y0, all.x1, draw_texts(p.list, font, y0)});
}

}  // namespace tilewalk
