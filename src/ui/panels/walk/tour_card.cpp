// The card of the first minute: three ways on, over the matrix before anything has moved, then in the column beside a
// walk that plays. It weighs more than anything beside it, and its first way is the one filled button.
#include <algorithm>

#include "ui/panels/motion/moving.h"
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

constexpr WayOn kWatch{"watch", "Watch",          "A Q tile meets its K tiles; then naive attention",
                       "40 s",  draw::Sign::Play, true},
    kLearn{"learn", "Learn", "Each lesson asks first, then explains", "minutes each", draw::Sign::Ring},
    kMyGpu{"my gpu", "My GPU, my length", "Which attention runs, and what it wins", "any N", draw::Sign::Dot};
constexpr float kWays = 3;

float usual_height(const Panel& p) {
  return std::max(46 * p.s, draw::leading(p.fonts.strong) + draw::leading(p.fonts.body) + 6 * p.s);
}

struct WayLook {
  ImU32 fill, ink, quiet;
  ImU32 disc, sign;  // behind the sign, and the sign
};

WayLook look_of(const Palette& c, const WayOn& way, bool hovered) {
  if (!way.first) return {hovered ? c.row_mark : c.raised, c.text, c.muted, c.accent, c.accent_text};
  const ImU32 fill = hovered ? mix(c.accent, c.text, 0.15f) : c.accent;
  return {fill, c.accent_text, mix(fill, c.accent_text, 0.8f), c.accent_text, c.accent};
}

// True when it is clicked.
bool draw_way(const UiFrame& f, Panel& p, const WayOn& way, const draw::Rect& r) {
  const float s = p.s, pad = 12 * s, left = r.x0 + 50 * s;
  const Hit h = hit(f, way.id, r);
  const Palette& c = p.colours;
  const auto [fill, ink, quiet, disc, sign] = look_of(c, way, h.hovered);
  draw::box(p.list, r, fill, 7 * s, way.first ? fill : c.border);
  const float round = std::min(15 * s, r.height() / 3);
  const ImVec2 middle(r.x0 + 26 * s, (r.y0 + r.y1) / 2);
  p.list->AddCircleFilled(middle, round, disc, 32);
  draw::sign(p.list, way.sign, {middle.x - 9 * s, middle.y - 9 * s, middle.x + 9 * s, middle.y + 9 * s}, sign, s);
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
  return f.session.tour().offers() && !f.session.tour().runs() && !f.views.lesson_panel &&
         !f.session.view().presenting() && f.session.problem().fault == Fault::None;
}

float tour_card_height(const UiFrame& f, const Panel& p) {
  return head_height(p) + kWays * (least_height(p) + kGap * p.s) + f.theme.pad();
}

void draw_tour_card(const UiFrame& f, Panel& p, bool at_the_end) {
  const float s = p.s, gap = kGap * s, head = head_height(p);
  // At the lower end, so that it stays where it is while the numbers above grow and shrink.
  if (at_the_end) p.y = std::max(p.y, p.rect.y1 - head - kWays * (usual_height(p) + gap) - f.theme.pad());
  const float room = p.rect.y1 - p.theme.pad() - p.y - head,
              each = std::clamp(room / kWays - gap, least_height(p), usual_height(p));
  const float frame = 7 * s;
  const draw::Rect around{p.x - frame, p.y - frame, p.x + p.width + frame, p.y + head + kWays * (each + gap)};
  draw::box(p.list, around, p.colours.callout, 9 * s, p.colours.accent, 1.5f * s);
  const draw::Rect close{p.x + p.width - 22 * s, p.y - 2 * s, p.x + p.width, p.y + 20 * s};
  draw::text(
      p.list, p.fonts.body, p.x, p.y, p.colours.muted,
      draw::elided(p.fonts.body,
                   f.session.walk().playback().playing ? "The walk plays on. From here you can" : "From here you can",
                   close.x0 - 6 * s - p.x));
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

namespace {

constexpr const char *kAttention =
                         "Attention: each word looks at each earlier word, scores how well the two match (Q times K), "
                         "and takes the average of what these words carry (V), weighted by how well they match.",
                     *kAttentionBothWays =
                         "Attention: each word looks at each other word, scores how well the two match (Q times K), "
                         "and takes the average of what these words carry (V), weighted by how well they match.";

const char* what_attention_is(const UiFrame& f) {
  const Shape& shape = f.session.problem().shape;
  return shape.band().allows(0, shape.n_kv - 1) ? kAttentionBothWays : kAttention;
}

struct CentredPlan {
  float pad = 0, inner = 0, sentence = 0, tile = 0, tile_wide = 0;
  float height() const { return 2 * pad + sentence + pad + tile; }
};

CentredPlan plan_of(const UiFrame& f, float width) {
  const Fonts& fonts = f.theme.fonts;
  const float s = f.theme.s;
  CentredPlan plan{.pad = 20 * s};
  plan.inner = width - 2 * plan.pad;
  plan.sentence = draw::paragraph(nullptr, fonts.large, fonts.tiny, 0, 0, plan.inner - 26 * s, 0, what_attention_is(f));
  plan.tile_wide = (plan.inner - (kWays - 1) * 2 * kGap * s) / kWays;
  float words = 0;
  for (const WayOn* way : {&kWatch, &kLearn, &kMyGpu})
    words =
        std::max(words, draw::paragraph(nullptr, fonts.body, fonts.tiny, 0, 0, plan.tile_wide - 28 * s, 0, way->words));
  plan.tile = 14 * s + 44 * s + 8 * s + draw::leading(fonts.strong) + words + draw::leading(fonts.tiny) + 16 * s;
  return plan;
}

// A way on as a tile: its sign, its title, its words, and its note at the foot. True when it is clicked.
bool draw_way_tile(const UiFrame& f, Panel& p, const WayOn& way, const draw::Rect& r) {
  const float s = p.s, x = r.x0 + 14 * s;
  const Hit h = hit(f, way.id, r);
  const Palette& c = p.colours;
  const auto [fill, ink, quiet, disc, sign] = look_of(c, way, h.hovered);
  draw::box(p.list, r, fill, 9 * s, way.first ? fill : c.border);
  const ImVec2 middle(x + 22 * s, r.y0 + 14 * s + 22 * s);
  p.list->AddCircleFilled(middle, 22 * s, disc, 40);
  draw::sign(p.list, way.sign, {middle.x - 13 * s, middle.y - 13 * s, middle.x + 13 * s, middle.y + 13 * s}, sign,
             1.4f * s);
  float y = r.y0 + 66 * s;
  draw::text(p.list, p.fonts.strong, x, y, ink, draw::elided(p.fonts.strong, way.title, r.x1 - 10 * s - x));
  y += draw::leading(p.fonts.strong);
  draw::paragraph(p.list, p.fonts.body, p.fonts.tiny, x, y, r.width() - 28 * s, quiet, way.words);
  draw::text(p.list, p.fonts.tiny, x, r.y1 - 10 * s - p.fonts.tiny.size, quiet, way.note);
  return h.clicked;
}

}  // namespace

std::optional<draw::Rect> centred_tour_card(const UiFrame& f) {
  if (!shows_tour_card(f) || f.session.page() != Page::Walk || f.session.cursor() != 0 ||
      f.session.walk().playback().playing || moving(f) || is_post_layout(f.layout) || is_compact(f.layout))
    return std::nullopt;
  const draw::Rect& panel = f.layout.scores;
  const float s = f.theme.s, width = std::min(720 * s, panel.width() - 24 * s), height = plan_of(f, width).height();
  if (width < 460 * s || height > panel.height() - 24 * s) return std::nullopt;
  const float x = (panel.x0 + panel.x1 - width) / 2, room = panel.height() - height,
              y = panel.y0 + std::min(room / 2, 40 * s);  // the lower rows, which see most, stay in view
  return draw::Rect{x, y, x + width, y + height};
}

void draw_centred_tour_card(const UiFrame& f, Panel& p, const draw::Rect& r) {
  const float s = p.s;
  const CentredPlan plan = plan_of(f, r.width());
  draw::box(p.list, {r.x0 + 3 * s, r.y0 + 5 * s, r.x1 + 5 * s, r.y1 + 7 * s},
            with_alpha(p.colours.dark ? IM_COL32(0, 0, 0, 255) : p.colours.muted, 0.35f), 12 * s);
  draw::box(p.list, r, p.colours.callout, 12 * s, p.colours.accent, 1.5f * s);
  f.ui.rects.put("first card", r);
  const draw::Rect close{r.x1 - 34 * s, r.y0 + 12 * s, r.x1 - 12 * s, r.y0 + 34 * s};
  if (button(f, {.id = "close first minute", .rect = close, .label = "", .tip = "Close", .sign = draw::Sign::Cross}))
    f.push(Action::CloseTour);
  draw::paragraph(p.list, p.fonts.large, p.fonts.tiny, r.x0 + plan.pad, r.y0 + plan.pad, plan.inner - 26 * s,
                  p.colours.text, what_attention_is(f));
  float x = r.x0 + plan.pad;
  const float y = r.y0 + 2 * plan.pad + plan.sentence;
  const auto clicked = [&](const WayOn& way) {
    const draw::Rect tile{x, y, x + plan.tile_wide, y + plan.tile};
    x = tile.x1 + 2 * kGap * s;
    return draw_way_tile(f, p, way, tile);
  };
  if (clicked(kWatch)) f.push(Action::Watch);
  if (clicked(kLearn)) f.push(Action::ShowLessons);
  if (clicked(kMyGpu)) f.push(ShowPage{Page::Which});
}

}  // namespace tilewalk
