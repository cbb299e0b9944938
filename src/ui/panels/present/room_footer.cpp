#include "ui/panels/present/room_footer.h"

#include <algorithm>
#include <string>

#include "ui/panel.h"
#include "ui/widgets.h"

namespace tilewalk {
namespace {

struct RoomWords {
  const char *question, *keys;
};

RoomWords words_of(Page page) {
  if (page == Page::Race)
    return {"Ask: all compute the same O. What does naive do in the rest of its time?",
            "Space runs the bars again · B darkens the screen · Esc ends"};
  if (page == Page::Tree)
    return {"Ask: what did each of them change, and which one is not exact?",
            "A click on a box shows what it changed · B darkens the screen · Esc ends"};
  return {"Ask: both compute the same O. Which pipes does the right side not have?",
          "Space plays · ← → steps · B darkens the screen · Esc ends"};
}

}  // namespace

float room_footer_height(const Theme& theme) { return 2 * draw::leading(theme.fonts.strong) + 12 * theme.s; }

void draw_room_footer(const UiFrame& f, const draw::Rect& r) {
  f.ui.rects.within("room");
  Panel p("room", r, f, Scroll::Never);
  const float s = p.s, line = draw::leading(p.fonts.strong), high = line + 4 * s;
  const RoomWords words = words_of(f.session.page());
  const float wide = draw::text_width(p.fonts.strong, "Esc") + 34 * s, middle = (r.y0 + r.y1) / 2;
  const draw::Rect leave{r.x1 - 14 * s - wide, middle - high / 2, r.x1 - 14 * s, middle + high / 2};
  const Hit h = hit(f, "leave", leave);
  draw::box(p.list, leave, h.hovered ? p.colours.row_mark : p.colours.panel, 4 * s, p.colours.border);
  draw::sign(p.list, draw::Sign::Cross, {leave.x0 + 5 * s, leave.y0, leave.x0 + 25 * s, leave.y1}, p.colours.muted, s);
  draw::text(p.list, p.fonts.strong, leave.x0 + 27 * s, middle - p.fonts.strong.size / 2, p.colours.muted, "Esc");
  if (h.hovered) tooltip(f, "Back to the page (Esc)");
  if (h.clicked) f.push(Action::Present);
  const float x = r.x0 + 14 * s, room = leave.x0 - 20 * s - x, top = middle - line;
  draw::box(p.list, {r.x0 + 6 * s, top, r.x0 + 9 * s, middle + line}, p.colours.accent, s);
  word(f, p.fonts.strong, x, top, p.colours.text, draw::elided(p.fonts.strong, words.question, room));
  draw::text(p.list, p.fonts.body, x, middle, p.colours.muted, draw::elided(p.fonts.body, words.keys, room));
  f.ui.rects.put("question", {x, top, x + std::min(room, draw::text_width(p.fonts.strong, words.question)), middle});
  f.ui.rects.put("keys", {x, middle, x + std::min(room, draw::text_width(p.fonts.body, words.keys)), middle + line});
}

}  // namespace tilewalk
