// The picture of a lesson in which each tile of one row meets each tile of another: one down, one across, and a grid of
// their pairs.
#include <algorithm>

#include "ui/panels/learn/lesson_picture_parts.h"

namespace tilewalk {
namespace {

void draw_cell(const UiFrame& f, const Panel& p, const PictureItemModel& item, std::int64_t i, const draw::Rect& r) {
  const ImU32 fill = fill_of(p, item);
  draw::box(p.list, r, fill, 3 * p.s);
  const std::string number = std::to_string(i);
  const Font font = font_of_number(p, number, 0.8f * r.width(), 1.2f * r.height(), p.fonts.tiny);
  if (r.width() > 18 * p.s) draw::text_in(p.list, font, r, ink_on(fill), number);
  f.ui.rects.put("number " + item.name + " " + number, {r.x0, r.y0, r.x1, r.y0 + font.em});
  f.ui.rects.put("cell " + item.name + " " + std::to_string(i), r);
}

}  // namespace

float draw_pairs(const UiFrame& f, const Panel& p, const LessonPictureModel& m, const draw::Rect& area, float t) {
  const PictureItemModel &down = m.items[0], &across = m.items[1], &pairs = m.items[2];
  const float s = p.s, gap = 10 * s, title = draw::leading(p.fonts.title),
              foot = title + draw::leading(p.fonts.body) + 14 * s;
  const float names = draw::text_width(p.fonts.title, down.name) + 14 * s;
  const float rows = float(std::max<std::int64_t>(down.count, 1)),
              cols = float(std::max<std::int64_t>(across.count, 1));
  const float cell =
      std::clamp(std::min((area.height() - title - gap - foot) / (rows + 1), (area.width() - names - gap) / (cols + 1)),
                 8 * s, 96 * s);
  const float whole = names + cell + gap + cell * cols,
              x = area.x0 + std::max(0.0f, (area.width() - whole) / 2) + names;
  const float y = area.y0 + std::max(0.0f, (area.height() - title - cell - gap - cell * rows - foot) * 0.4f) + title;
  const draw::Rect grid{x + cell + gap, y + cell + gap, x + cell + gap + cell * cols, y + cell + gap + cell * rows};
  const auto place = [&](float left, float top) {
    return draw::Rect{left, top, left + cell - 3 * s, top + cell - 3 * s};
  };
  draw::text(p.list, p.fonts.title, grid.x0, y - title, p.colours.text, across.name);
  draw::text(p.list, p.fonts.title, x - names, grid.y0 + (cell - p.fonts.title.size) / 2, p.colours.text, down.name);
  for (std::int64_t i = 0; i < across.count; ++i) draw_cell(f, p, across, i, place(grid.x0 + cell * float(i), y));
  for (std::int64_t i = 0; i < down.count; ++i) draw_cell(f, p, down, i, place(x, grid.y0 + cell * float(i)));
  const ImU32 fill = pairs.hidden ? 0 : fill_of(p, pairs);
  for (std::int64_t q = 0; q < down.count; ++q)
    for (std::int64_t k = 0; k < across.count; ++k)
      draw::box(p.list,
                grown(place(grid.x0 + cell * float(k), grid.y0 + cell * float(q)),
                      part_at(t, q * across.count + k, down.count * across.count)),
                fill, 3 * s, pairs.hidden ? p.colours.muted : 0, draw::hairline());
  f.ui.rects.put(pairs.hidden ? "asked " + pairs.name : "pairs " + pairs.name, grid);
  if (pairs.hidden) {
    const float half = p.fonts.figure.em, middle = (grid.x0 + grid.x1) / 2, centre = (grid.y0 + grid.y1) / 2;
    const draw::Rect sign{middle - half, centre - half, middle + half, centre + half};
    draw::box(p.list, sign, p.colours.panel, 6 * s, p.colours.accent, 1.5f * s);
    draw::text_in(p.list, p.fonts.figure, sign, p.colours.accent, "?");
    f.ui.rects.put("sign " + pairs.name, sign);
  }
  draw::text(p.list, p.fonts.title, grid.x0, grid.y1 + 8 * s, p.colours.text, pairs.name);
  if (!pairs.hidden) draw::text(p.list, p.fonts.body, grid.x0, grid.y1 + 8 * s + title, p.colours.muted, pairs.words);
  return grid.y1 + foot;
}

}  // namespace tilewalk
