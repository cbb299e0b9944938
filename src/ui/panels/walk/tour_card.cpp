// The card of the first minute: three ways on from a walk that plays. It weighs more than anything beside it, and its
// first way is the one filled button.
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
  bool first = false;
};

constexpr WayOn kWatch{"watch", "Watch", "A Q tile meets its K tiles; then naive", "40 s", draw::Sign::Play, true},
    kLearn{"learn", "Learn", "Each lesson asks first, then explains", "minutes each", draw::Sign::Check},
    kMyGpu{"my gpu", "My GPU, my length", "Which attention runs, and what it wins", "any N", draw::Sign::Dot};
constexpr float kWays = 3;

float usual_height(const Panel& p) {
  return std::max(46 * p.s, draw::leading(p.fonts.strong) + draw::leading(p.fonts.body) + 6 * p.s);
}

// True when it is clicked.
bool draw_way(const UiFrame& f, Panel& p, const WayOn& way, const draw::Rect& r) {
  const float s = p.s, pad = 12 * s, left = r.x0 + 50 * s;
  const Hit h = hit(f, way.id, r);
  const Palette& c = p.colours;
  const ImU32 fill = way.first   ? (h.hovered ? mix(c.accent, c.text, 0.15f) : c.accent)
                     : h.hovered ? c.row_mark
                                 : c.raised;
  const ImU32 ink = way.first ? c.accent_text : c.text, quiet = way.first ? mix(fill, c.accent_text, 0.8f) : c.muted;
  draw::box(p.list, r, fill, 7 * s, way.first ? fill : c.border);
  const float round = std::min(15 * s, r.height() / 3);
  const ImVec2 middle(r.x0 + 26 * s, (r.y0 + r.y1) / 2);
  p.list->AddCircleFilled(middle, round, way.first ? c.accent_text : c.accent, 32);
  draw::sign(p.list, way.sign, {middle.x - 9 * s, middle.y - 9 * s, middle.x + 9 * s, middle.y + 9 * s},
             way.first ? c.accent : c.accent_text, s);
  const float note = draw::text_width(p.fonts.tiny, way.note);
  const bool two_lines = r.height() >= 2 * draw::leading(p.fonts.body) + 4 * s;
  const Font& title = p.fonts.strong;
  const float high = draw::leading(title) + (two_lines ? draw::leading(p.fonts.body) : 0), y = (r.y0 + r.y1 - high) / 2;
  draw::text(p.list, title, left, y, ink, draw::elided(title, way.title, r.x1 - pad - note - 8 * s - left));
  draw::text_right(p.list, p.fonts.tiny, r.x1 - pad, y + 2 * s, quiet, way.note);
  if (two_lines)
    draw::text(p.list, p.fonts.body, left, y + draw::leading(title), quiet,
               draw::elided(p.fonts.body, way.words, r.x1 - pad - left));
  if (h.hovered && !two_lines) tooltip(f, way.words);
  return h.clicked;
}

constexpr float kGap = 5;

float head_height(const Panel& p) { return draw::leading(p.fonts.body) + 6 * p.s; }
float least_height(const Panel& p) { return draw::leading(p.fonts.body) + 8 * p.s; }

}  // namespace

bool shows_tour_card(const UiFrame& f) {
  return f.session.tour().offers() && !f.views.lesson_panel && !f.session.view().presenting();
}

float tour_card_height(const UiFrame& f, const Panel& p) {
  return head_height(p) + kWays * (least_height(p) + kGap * p.s) + f.theme.pad();
}

float tour_card_usual_height(const UiFrame& f, const Panel& p) {
  return head_height(p) + kWays * (usual_height(p) + kGap * p.s) + f.theme.pad();
}

void draw_tour_card(const UiFrame& f, Panel& p, bool at_the_end) {
  const float s = p.s, gap = kGap * s, head = head_height(p);
  // At the lower end, so that it stays where it is while the numbers above grow and shrink.
  if (at_the_end) p.y = std::max(p.y, p.rect.y1 - tour_card_usual_height(f, p));
  const float room = p.rect.y1 - p.theme.pad() - p.y - head,
              each = std::clamp(room / kWays - gap, least_height(p), usual_height(p));
  const float frame = 7 * s;
  const draw::Rect around{p.x - frame, p.y - frame, p.x + p.width + frame, p.y + head + kWays * (each + gap)};
  draw::box(p.list, around, p.colours.callout, 9 * s, p.colours.accent, 1.5f * s);
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
