// Titles and marks that the tile and the table of the screen for a room share.
#include <algorithm>

#include "ui/mistake_marks.h"
#include "ui/panels/present/present_parts.h"

namespace tilewalk {

float row_height(const PresentPen& p, std::size_t rows) {
  const bool right = p.m.table.has_right_row();
  return present_row_height(p.at, right ? p.m.table.rows.size() : rows, !p.m.tile.part.empty(), right);
}

// The strip also names the tiles of the visit, so the title may leave them out. "Gradient of Q, tile 2, so far, not yet
// scaled" loses parts from its end where it is too long.
void draw_present_title(const PresentPen& p, const draw::Rect& r, std::string_view title) {
  for (const char* separator : {" · ", ", "})
    while (draw::line_width(p.fonts.strong, p.fonts.tiny, title) > r.width() &&
           title.rfind(separator) != std::string_view::npos)
      title = title.substr(0, title.rfind(separator));
  p.f.ui.rects.put("title " + std::string(title), r);
  const float wide = std::min(r.width(), draw::line_width(p.fonts.strong, p.fonts.tiny, title));
  note_label(p.f, 0, std::int64_t(r.x0), "title", {r.x0, r.y0, r.x0 + wide, r.y0 + p.fonts.strong.size});
  draw::paragraph(p.list, p.fonts.strong, p.fonts.tiny, r.x0, r.y0, 2 * r.width(), p.c.muted,
                  draw::line_width(p.fonts.strong, p.fonts.tiny, title) > r.width()
                      ? draw::elided(p.fonts.strong, title, r.width())
                      : std::string(title));
}

// The cross is beside the number, or in the first corner that is free of the digits and of the minus: as large as fits
// there. Where there is no space the frame alone marks the number.
void draw_present_wrong(const PresentPen& p, const draw::Rect& r, const draw::Rect& text, const Font& font,
                        std::string_view figure, bool cross) {
  constexpr std::string_view kMinus = "−";
  draw::Rect number = text;
  number.y0 += 0.2f * font.size, number.y1 -= 0.2f * font.size;  // above and below the digits
  draw::Rect minus{number.x0, number.y0, number.x0, number.y0};
  if (figure.starts_with(kMinus)) {
    number.x0 += draw::text_width(font, kMinus);
    minus = {text.x0, text.y0 + 0.4f * font.size, number.x0, text.y0 + 0.68f * font.size};
  }
  draw::box(p.list, r, 0, 3 * p.s, ink_of_mistake(p.f, p.c), 2 * p.s);
  const std::string place = " at " + std::to_string(int(r.x0)) + " " + std::to_string(int(r.y0));
  p.f.ui.rects.put("wrong" + place, r.inset(p.s));  // within the frame
  p.f.ui.rects.put("number" + place, number);
  p.f.ui.rects.put("minus" + place, minus);
  if (!cross) return;
  const float edge = 3 * p.s, most = std::min(11 * p.s, r.height() * 0.55f), least = 6 * p.s;
  for (float side = most; side >= least; side -= p.s) {
    const float middle = r.middle().y - side / 2;
    const draw::Rect corners[] = {{r.x0 + edge, middle, r.x0 + edge + side, middle + side},
                                  {r.x0 + edge, r.y0 + edge, r.x0 + edge + side, r.y0 + edge + side},
                                  {r.x1 - edge - side, r.y0 + edge, r.x1 - edge, r.y0 + edge + side}};
    for (const draw::Rect& corner : corners) {
      if (corner.touches(number) || corner.touches(minus)) continue;
      draw::box(p.list, corner, p.c.panel, 2 * p.s);
      draw::sign(p.list, sign_of_mistake(p.f), corner, ink_of_mistake(p.f, p.c), 0.06f * side);
      p.f.ui.rects.put("cross" + place, corner);
      return;
    }
  }
}

}  // namespace tilewalk
