// The card of the first minute: three ways on in the column at the right, with what attention is before anything has
// moved, then beside a walk that plays. It weighs more than anything beside it, and its first way is the one filled
// button.
#include <fmt/format.h>

#include <algorithm>

#include "pages/walk/walk_page.h"
#include "ui/panels/motion/moving.h"
#include "ui/panels/panels.h"

namespace tilewalk {
namespace {

struct WayOn {
  const char* id;
  const char* title;
  const char* words;
  const char* note;  // at the right; of the first way, its seconds
  draw::Sign sign;
  bool first = false;
};

constexpr WayOn kWayOns[] = {
    {"watch", "Watch", "One Q tile, then naive attention", "", draw::Sign::Play, true},
    {"learn", "Learn", "Each lesson asks first, then explains", "minutes each", draw::Sign::Ring},
    {"my gpu", "My GPU, my length", "Which kernel runs, and what it wins", "any N", draw::Sign::Dot}};
constexpr float kWays = std::size(kWayOns);

struct WayLetters {
  Font title, words, note;
  float s;
  bool title_alone = false;
};

WayLetters letters_of(const Panel& p, float by = 1) {
  const auto scaled = [&](const Font& font) { return Font{font.font, font.size * by, font.em * by}; };
  return {scaled(p.fonts.strong), scaled(p.fonts.body), scaled(p.fonts.tiny), p.s * by};
}

float usual_height(const WayLetters& l) {
  return std::max(46 * l.s, draw::leading(l.title) + draw::leading(l.words) + 6 * l.s);
}
float usual_height(const Panel& p) { return usual_height(letters_of(p)); }

struct WayLook {
  ImU32 fill, ink, quiet;
  ImU32 disc, sign;  // behind the sign, and the sign
};

WayLook look_of(const Palette& c, const WayOn& way, bool hovered) {
  if (!way.first) return {hovered ? c.row_mark : c.raised, c.text, c.muted, c.accent, c.accent_text};
  const ImU32 fill = hovered ? mix(c.accent, c.text, 0.15f) : c.accent;
  return {fill, c.accent_text, c.accent_text, c.accent_text, c.accent};
}

std::string note_of(const WayOn& way) { return way.first ? fmt::format("{} s", tour_seconds()) : way.note; }

constexpr float kBeforeWords = 50, kAfterWords = 12;

// True when it is clicked.
bool draw_way(const UiFrame& f, const Panel& p, const WayOn& way, const draw::Rect& r, const WayLetters& letters) {
  const float s = letters.s, pad = kAfterWords * s, left = r.x0 + kBeforeWords * s;
  const Hit h = hit(f, way.id, r);
  const Palette& c = p.colours;
  const auto [fill, ink, quiet, disc, sign] = look_of(c, way, h.hovered);
  draw::box(p.list, r, fill, 7 * s, way.first ? fill : c.border);
  const float round = std::min(15 * s, r.height() / 3);
  const ImVec2 middle(r.x0 + 26 * s, (r.y0 + r.y1) / 2);
  p.list->AddCircleFilled(middle, round, disc, 32);
  draw::sign(p.list, way.sign, {middle.x - 9 * s, middle.y - 9 * s, middle.x + 9 * s, middle.y + 9 * s}, sign, s);
  const std::string noted = note_of(way);
  const float note = draw::text_width(letters.note, noted);
  const bool two_lines = !letters.title_alone && r.height() >= 2 * draw::leading(letters.words) + 4 * s;
  const Font& title = letters.title;
  const float high = draw::leading(title) + (two_lines ? draw::leading(letters.words) : 0),
              y = (r.y0 + r.y1 - high) / 2;
  draw::text(p.list, title, left, y, ink, draw::elided(title, way.title, r.x1 - pad - note - 8 * s - left));
  draw::text_right(p.list, letters.note, r.x1 - pad, y + 2 * s, quiet, noted);
  const bool fits = draw::text_width(letters.words, way.words) <= r.x1 - pad - left;
  const Font& words = fits ? letters.words : letters.note;
  if (two_lines)
    draw::text(p.list, words, left, y + draw::leading(title), quiet, draw::elided(words, way.words, r.x1 - pad - left));
  if (h.hovered && !two_lines) tooltip(f, way.words);
  return h.clicked;
}

// place: of each way, from the first on.
template <class Place>
void draw_ways(const UiFrame& f, const Panel& p, const WayLetters& letters, const Place& place) {
  const Command opens[] = {Action::Watch, Action::ShowLessons, ShowPage{Page::Which}};
  for (std::size_t i = 0; i < std::size(kWayOns); ++i)
    if (draw_way(f, p, kWayOns[i], place(i), letters)) f.push(opens[i]);
}

void draw_close(const UiFrame& f, const draw::Rect& r) {
  if (button(f, {.id = "close first minute", .rect = r, .label = "", .tip = "Close", .sign = draw::Sign::Cross}))
    f.push(Action::CloseTour);
}

constexpr float kBetweenWays = 4;
constexpr float kCloseInLine = 30;  // width of its button

float head_height(const Panel& p) { return draw::leading(p.fonts.body) + 6 * p.s; }
float least_height(const Panel& p) { return draw::leading(p.fonts.body) + 3 * p.s; }

float widest_way(const WayLetters& l) {
  float out = 0;
  for (const WayOn& way : kWayOns) {
    const float title = draw::text_width(l.title, way.title) + 10 * l.s + draw::text_width(l.note, note_of(way));
    out = std::max(out, l.title_alone ? title : std::max(title, draw::text_width(l.words, way.words)));
  }
  return out + (kBeforeWords + kAfterWords) * l.s;
}

// A person who chose larger text reads none that is smaller than that.
float least_letters(const UiFrame& f) {
  return kSmall.least * std::max(1.0f, float(f.session.document().view.text_scale));
}

// In a line of that size, with the button that closes it: as large as fits, and the title alone where the words would
// be too small.
WayLetters letters_in_line(const Panel& p, float width, float height, float least) {
  const float high = std::min(1.0f, height / usual_height(p));
  const float room = (width - kCloseInLine * p.s) / kWays - kBetweenWays * p.s;
  WayLetters out = letters_of(p, std::min(high, room / widest_way(letters_of(p))));
  if (out.words.em >= least) return out;
  WayLetters title = letters_of(p);
  title.title_alone = true;
  out = letters_of(p, std::min(high, room / widest_way(title)));
  out.title_alone = true;
  return out;
}

}  // namespace

bool shows_tour_card(const UiFrame& f) {
  return f.session.tour().offers() && !f.views.lesson_panel && !f.session.view().presenting() &&
         f.session.problem().fault == Fault::None;
}

float tour_card_height(const UiFrame& f, const Panel& p) {
  return head_height(p) + kWays * (least_height(p) + kBetweenWays * p.s) + f.theme.pad();
}

bool ways_fit_in_line(const UiFrame& f, const Panel& p, const draw::Rect& r) {
  return !letters_in_line(p, r.width(), r.height(), least_letters(f)).title_alone;
}

void draw_ways_in_line(const UiFrame& f, const Panel& p, const draw::Rect& r) {
  const WayLetters letters = letters_in_line(p, r.width(), r.height(), least_letters(f));
  const float gap = kBetweenWays * p.s, close = kCloseInLine * p.s, each = (r.width() - close) / kWays - gap;
  const float half = std::min(r.height(), usual_height(letters)) / 2, middle = r.middle().y;
  draw_ways(f, p, letters, [&](std::size_t i) {
    const float x = r.x0 + (each + gap) * float(i);
    return draw::Rect{x, middle - half, x + each, middle + half};
  });
  draw_close(f, {r.x1 - close + 4 * p.s, middle - 11 * p.s, r.x1 - 4 * p.s, middle + 11 * p.s});
}

void draw_tour_card(const UiFrame& f, Panel& p, bool at_the_end) {
  const float s = p.s, gap = kBetweenWays * s, head = head_height(p);
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
  draw_close(f, close);
  p.y += head;
  draw_ways(f, p, letters_of(p), [&](std::size_t) {
    const draw::Rect r{p.x, p.y, p.x + p.width, p.y + each};
    p.y += each + gap;
    return r;
  });
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

}  // namespace

void draw_what_attention_is(const UiFrame& f, Panel& p) {
  const char* const words = what_attention_is(f);
  const float high = draw::paragraph(nullptr, p.fonts.body, p.fonts.tiny, 0, 0, p.width, 0, words), gap = 10 * p.s;
  if (p.y + gap + high > p.rect.y1 - 12 * p.s) return;
  p.y += gap;
  draw::paragraph(p.list, p.fonts.body, p.fonts.tiny, p.x, p.y, p.width, p.colours.text, words);
  f.ui.rects.put("what attention is", {p.x, p.y, p.x + p.width, p.y + high});
  p.y += high;
}

bool opens_with_card(const UiFrame& f) {
  return shows_tour_card(f) && f.session.page() == Page::Walk && f.session.cursor() == 0 &&
         !f.session.walk().playback().playing && !moving(f) && !is_post_layout(f.layout) && !is_compact(f.layout) &&
         !f.views.page<WalkPage>()->selected;
}

// The sentence in the largest letters that leave the ways their usual height, else as many as fit.
void draw_opening_card(const UiFrame& f, Panel& p) {
  const float s = p.s, gap = 2 * kBetweenWays * s, pad = 14 * s, close = 22 * s;
  const draw::Rect r{p.x - 7 * s, p.y, p.x + p.width + 7 * s, p.rect.y1 - f.theme.pad() / 2};
  const float inner = r.width() - 2 * pad;
  const char* const words = what_attention_is(f);
  const Font* font = &p.fonts.tiny;
  float lead = 0;
  for (const Font* larger : {&p.fonts.large, &p.fonts.body, &p.fonts.tiny}) {
    font = larger;
    lead = draw::paragraph(nullptr, *font, p.fonts.tiny, 0, 0, inner - close, 0, words);
    if (r.height() >= 2 * pad + lead + kWays * (usual_height(p) + gap)) break;
  }
  const float room = r.height() - 2 * pad - lead - kWays * gap;
  const bool says = room >= kWays * least_height(p);
  const float each = std::clamp((says ? room : room + lead) / kWays, least_height(p), 2 * usual_height(p));
  draw::box(p.list, r, p.colours.callout, 12 * s, p.colours.accent, 1.5f * s);
  f.ui.rects.put("first card", r);
  const draw::Rect cross{r.x1 - pad - close + 6 * s, r.y0 + 8 * s, r.x1 - 8 * s, r.y0 + 8 * s + close};
  draw_close(f, cross);
  float y = r.y0 + pad;
  if (says) {
    draw::paragraph(p.list, *font, p.fonts.tiny, r.x0 + pad, y, inner - close, p.colours.text, words);
    f.ui.rects.put("what attention is", {r.x0 + pad, y, r.x1 - pad - close, y + lead});
    y += lead;
  }
  draw_ways(f, p, letters_of(p), [&](std::size_t) {
    y += gap;
    const draw::Rect at{r.x0 + pad, y, r.x1 - pad, y + each};
    y = at.y1;
    return at;
  });
}

}  // namespace tilewalk
