// The card of the first minute: three ways on from a walk that plays.
#include <algorithm>

#include "ui/panels/panels.h"

namespace tilewalk {
namespace {

struct WayOn {
  const char* id;
  const char* title;
  const char* words;
  const char* note;  // at the right
  draw::Sign sign;
};

constexpr WayOn kWatch{"watch", "Watch", "One Q tile meets its K tiles; then naive, beside it", "40 s",
                       draw::Sign::Play},
    kLearn{"learn", "Learn", "Each lesson asks first, then explains", "minutes each", draw::Sign::Check},
    kMyGpu{"my gpu", "My GPU, my length", "Which attention runs, and what it wins", "any N", draw::Sign::Dot};
constexpr float kWays = 3;

// True when it is clicked.
bool draw_way(const UiFrame& f, Panel& p, const WayOn& way, const draw::Rect& r) {
  const float s = p.s, pad = 10 * s, left = r.x0 + 44 * s;
  const Hit h = hit(f, way.id, r);
  draw::box(p.list, r, h.hovered ? p.colours.row_mark : p.colours.raised, 7 * s, p.colours.border);
  const float round = std::min(13 * s, r.height() / 3);
  const ImVec2 middle(r.x0 + 23 * s, (r.y0 + r.y1) / 2);
  p.list->AddCircleFilled(middle, round, p.colours.accent, 32);
  draw::sign(p.list, way.sign, {middle.x - 8 * s, middle.y - 8 * s, middle.x + 8 * s, middle.y + 8 * s},
             p.colours.accent_text, s);
  const float note = draw::text_width(p.fonts.tiny, way.note);
  const bool two_lines = r.height() >= 2 * draw::leading(p.fonts.body) + 6 * s;
  const float high = (two_lines ? 2 : 1) * draw::leading(p.fonts.body), y = (r.y0 + r.y1 - high) / 2;
  draw::text(p.list, p.fonts.strong, left, y, p.colours.text,
             draw::elided(p.fonts.strong, way.title, r.x1 - pad - note - 8 * s - left));
  draw::text_right(p.list, p.fonts.tiny, r.x1 - pad, y + 2 * s, p.colours.muted, way.note);
  if (two_lines)
    draw::text(p.list, p.fonts.body, left, y + draw::leading(p.fonts.body), p.colours.muted,
               draw::elided(p.fonts.body, way.words, r.x1 - pad - left));
  if (h.hovered && !two_lines) tooltip(f, way.words);
  return h.clicked;
}

constexpr float kGap = 6;

float head_height(const Panel& p) { return draw::leading(p.fonts.body) + 6 * p.s; }
float least_height(const Panel& p) { return draw::leading(p.fonts.body) + 8 * p.s; }

}  // namespace

float tour_card_height(const UiFrame& f, const Panel& p) {
  return head_height(p) + kWays * (least_height(p) + kGap * p.s) + f.theme.pad();
}

void draw_tour_card(const UiFrame& f, Panel& p) {
  const float s = p.s, gap = kGap * s, head = head_height(p);
  const float usual = std::max(52 * s, 2 * draw::leading(p.fonts.body) + 10 * s), least = least_height(p);
  const float room = p.rect.y1 - p.theme.pad() - p.y - head, each = std::clamp(room / kWays - gap, least, usual);
  const draw::Rect close{p.x + p.width - 22 * s, p.y - 2 * s, p.x + p.width, p.y + 20 * s};
  draw::text(p.list, p.fonts.body, p.x, p.y, p.colours.muted,
             draw::elided(p.fonts.body, "The walk plays on. From here you can", close.x0 - 6 * s - p.x));
  if (button(f, {.id = "close first minute", .rect = close, .label = "", .tip = "Close", .sign = draw::Sign::Cross}))
    f.push(Action::CloseTour);
  p.y += head;
  const auto clicked = [&](const WayOn& way) {
    const draw::Rect r{p.x, p.y, p.x + p.width, p.y + each};
    p.y += each + gap;
    return draw_way(f, p, way, r);
  };
  if (clicked(kWatch)) f.push(Action::Watch);
  if (clicked(kLearn)) f.push(Action::ShowLessons);
  if (clicked(kMyGpu)) f.push(ShowPage{Page::Which});
}

}  // namespace tilewalk
