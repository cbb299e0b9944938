// What became of the scores on a last card for a post: the matrix as a large picture, and below it the words.
#include <algorithm>

#include "pages/walk/card_parts.h"
#include "ui/matrix/ghost_scores.h"
#include "ui/panels/panels.h"

namespace tilewalk {

void draw_scores_picture(const UiFrame& f, Panel& p, const CardScores& m, const draw::Rect& area) {
  const float s = p.s, pad = 12 * s, room = area.width() - 2 * pad;
  const auto high = [&](const Font& font, const std::string& text) {
    return draw::paragraph(nullptr, font, p.fonts.tiny, 0, 0, room, 0, text);
  };
  const float title = high(p.fonts.title, m.title), text = high(p.fonts.tiny, m.text);
  draw::box(p.list, area, p.colours.raised, 7 * s, p.colours.border);
  const float above = area.height() - 2 * pad - title - text - 12 * s, side = std::max(0.0f, std::min(room, above));
  const float left = area.x0 + (area.width() - side) / 2, top = area.y0 + pad;
  const draw::Rect picture{left, top, left + side, top + side};
  draw_ghost_scores(p.list, p.colours, f.session.schedule(), picture, s);
  f.ui.rects.put("scores picture", picture);
  float y = top + side + 8 * s;
  y += draw::paragraph(p.list, p.fonts.title, p.fonts.tiny, area.x0 + pad, y, room, p.colours.text, m.title) + 4 * s;
  draw::paragraph(p.list, p.fonts.tiny, p.fonts.tiny, area.x0 + pad, y, room, p.colours.muted, m.text);
  f.ui.rects.put("never existed", area);
}

}  // namespace tilewalk
