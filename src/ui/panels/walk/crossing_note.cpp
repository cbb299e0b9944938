#include "ui/panels/walk/crossing_note.h"

#include <vector>

namespace tilewalk {

void draw_crossing_note(const UiFrame& f, Panel& p, const draw::Rect& area, const std::string& note) {
  const std::size_t colon = note.find(": ");
  const auto draw_lines = [&](const Font& font, const std::vector<std::string>& lines) {
    const float line = draw::leading(font), top = (area.y0 + area.y1 - line * float(lines.size())) / 2;
    if (top < area.y0 - 4 * p.s) return false;
    for (const std::string& words : lines)
      if (draw::text_width(font, words) > p.width) return false;
    for (std::size_t i = 0; i < lines.size(); ++i) {
      const draw::Rect place{p.x, top + float(i) * line, p.x + p.width, top + float(i + 1) * line};
      draw::text_in(p.list, font, place, p.colours.muted, lines[i]);
      f.ui.rects.put("crossing note " + lines[i], place);
    }
    return true;
  };
  for (const Font* font : {&p.fonts.body, &p.fonts.tiny}) {
    if (draw_lines(*font, {note})) return;
    if (colon != std::string::npos && draw_lines(*font, {note.substr(0, colon), note.substr(colon + 2)})) return;
  }
  draw::text_in(p.list, p.fonts.tiny, area, p.colours.muted,
                draw::elided(p.fonts.tiny, note.substr(0, colon), p.width));
}

}  // namespace tilewalk
