// The picture of a lesson that has matrices of tiles under a causal mask.
#include <algorithm>

#include "ui/panels/learn/lesson_picture_parts.h"

namespace tilewalk {
namespace {

void draw_matrix(const UiFrame& f, const Panel& p, const PictureItemModel& item, const draw::Rect& r) {
  const Palette& c = p.colours;
  const float tile = r.width() / float(item.count), gap = tile > 12 * p.s ? 2 * p.s : tile > 5 * p.s ? 1.0f : 0;
  for (std::int64_t q = 0; q < item.count; ++q)
    for (std::int64_t k = 0; k < item.count; ++k) {
      const draw::Rect at{r.x0 + float(k) * tile, r.y0 + float(q) * tile, r.x0 + float(k + 1) * tile - gap,
                          r.y0 + float(q + 1) * tile - gap};
      if (item.plain) {
        draw::box(p.list, at, c.to_do, 0, gap > 0 ? c.cell_line : 0);
      } else if (k > q) {
        draw::box(p.list, at, c.hatch_fill, 0, gap > 0 ? c.cell_line : 0);
        if (tile > 14 * p.s) draw::hatch(p.list, at, c.hatch, 8 * p.s, p.s);
      } else if (k < q) {
        draw::box(p.list, at, c.done, 0);
      } else {  // what is visible of it: below the diagonal
        draw::box(p.list, at, c.hatch_fill, 0);
        p.list->AddTriangleFilled(ImVec2(at.x0, at.y0), ImVec2(at.x1, at.y1), ImVec2(at.x0, at.y1), c.accent);
      }
    }
  draw::box(p.list, r, 0, 0, c.border);
  p.list->AddLine(ImVec2(r.x0, r.y0), ImVec2(r.x1, r.y1), c.warn, std::max(1.0f, 2 * p.s));
  f.ui.rects.put("tiles " + item.name, r);
}

// What the fills mean, in one line below.
void draw_meanings(const Panel& p, float x, float y) {
  const struct {
    ImU32 fill;
    bool hatched;
    const char* words;
  } all[] = {{p.colours.done, false, "full"},
             {p.colours.accent, false, "cut by the mask"},
             {p.colours.hatch_fill, true, "skipped: never loaded"}};
  const float side = p.fonts.body.size;
  for (const auto& each : all) {
    const draw::Rect r{x, y, x + side, y + side};
    draw::box(p.list, r, each.fill, 2 * p.s, p.colours.cell_line);
    if (each.hatched) draw::hatch(p.list, r, p.colours.hatch, 5 * p.s, p.s);
    draw::text(p.list, p.fonts.body, r.x1 + 7 * p.s, y, p.colours.muted, each.words);
    x = r.x1 + 7 * p.s + draw::text_width(p.fonts.body, each.words) + 24 * p.s;
  }
}

}  // namespace

float draw_tiles_of_masks(const UiFrame& f, const Panel& p, const LessonPictureModel& m, const draw::Rect& area) {
  const float s = p.s, line = draw::leading(p.fonts.body), words = draw::leading(p.fonts.strong) + line + 14 * s;
  const float gap = 28 * s, count = float(m.items.size()), foot = line + 12 * s;
  const float side = std::min(area.height() - words - foot, (area.width() - gap * (count - 1)) / count);
  const float whole = side * count + gap * (count - 1), top = area.y0 + (area.height() - words - foot - side) * 0.4f;
  const float left = area.x0 + std::max(0.0f, (area.width() - whole) / 2);
  float x = left;
  bool plain = false;
  for (const PictureItemModel& item : m.items) {
    draw_matrix(f, p, item, {x, top, x + side, top + side});
    draw::text(p.list, p.fonts.strong, x, top + side + 8 * s, p.colours.text,
               draw::elided(p.fonts.strong, item.name, side + gap - 6 * s));
    if (!item.words.empty())
      draw::text(p.list, p.fonts.body, x, top + side + 8 * s + draw::leading(p.fonts.strong), p.colours.muted,
                 draw::elided(p.fonts.body, item.words, side + gap - 6 * s));
    plain = plain || item.plain;
    x += side + gap;
  }
  const float y = top + side + words;
  if (plain)
    draw::text(p.list, p.fonts.body, left, y, p.colours.muted, "The line: the mask. Right of it nothing is visible");
  else
    draw_meanings(p, left, y);
  return y + line;
}

}  // namespace tilewalk
