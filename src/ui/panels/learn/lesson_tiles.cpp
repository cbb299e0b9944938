// The picture of a lesson that has matrices of tiles under a causal mask.
#include <algorithm>

#include "session/lesson/marked_tiles.h"
#include "ui/panels/learn/lesson_picture_parts.h"

namespace tilewalk {
namespace {

// Of a matrix whose tiles the learner marks: the tile that has the keys.
struct TilesUi {
  std::string place;  // of the picture
  int q = 0, k = 0;
};

void turn_tile(const UiFrame& f, const PictureItemModel& item, int q, int k) {
  f.push(DraftAnswer{with_tile_turned(f.session.lesson().draft(), int(item.count), q, k)});
}

// Arrows move to another tile, Space marks it or takes the mark away; Enter checks, in the lesson's panel.
void take_keys(const UiFrame& f, const PictureItemModel& item, TilesUi& at) {
  if (!f.ui.lesson_keys) return;
  const int last = int(item.count) - 1;
  at.k = std::clamp(at.k + int(key_pressed(Key::Right)) - int(key_pressed(Key::Left)), 0, last);
  at.q = std::clamp(at.q + int(key_pressed(Key::Down)) - int(key_pressed(Key::Up)), 0, last);
  if (key_pressed(Key::Space)) turn_tile(f, item, at.q, at.k);
}

void draw_mark(const Panel& p, const draw::Rect& r, TileMark mark) {
  if (mark == TileMark::None) return;
  const bool wrong = mark == TileMark::Wrong;
  const ImU32 ink = wrong ? p.colours.bad : p.colours.accent;
  draw::box(p.list, r, mix(p.colours.to_do, ink, wrong ? 0.35f : 0.55f), 0, ink, (wrong ? 3 : 2) * p.s);
  const float sign = std::min(r.width() * 0.72f, 72 * p.s), x = (r.x0 + r.x1) / 2, y = (r.y0 + r.y1) / 2;
  if (wrong)
    draw::sign(p.list, draw::Sign::Cross, {x - sign / 2, y - sign / 2, x + sign / 2, y + sign / 2}, p.colours.text,
               sign / 10);
}

// The lesson asks for the tiles of one kind: each tile can be clicked.
void draw_marked_matrix(const UiFrame& f, const Panel& p, const LessonPictureModel& m, const PictureItemModel& item,
                        const draw::Rect& r) {
  TilesUi& at = f.ui.of<TilesUi>();
  if (at.place != m.place) at = {.place = m.place};
  take_keys(f, item, at);
  const float tile = r.width() / float(item.count), gap = 2 * p.s;
  for (int q = 0; q < item.count; ++q)
    for (int k = 0; k < item.count; ++k) {
      const draw::Rect cell{r.x0 + float(k) * tile, r.y0 + float(q) * tile, r.x0 + float(k + 1) * tile - gap,
                            r.y0 + float(q + 1) * tile - gap};
      const Hit h = hit(f, "tile " + std::to_string(q) + "," + std::to_string(k), cell);
      if (h.clicked) {
        at.q = q, at.k = k;
        f.ui.lesson_keys = true;
        turn_tile(f, item, q, k);
      }
      draw::box(p.list, cell, h.hovered ? p.colours.button_hover : p.colours.to_do, 0, p.colours.cell_line);
      draw_mark(p, cell, item.marks[std::size_t(q * item.count + k)]);
    }
  if (f.ui.lesson_keys) {
    const float x = r.x0 + float(at.k) * tile, y = r.y0 + float(at.q) * tile;
    const draw::Rect ring{x - 1 * p.s, y - 1 * p.s, x + tile - gap + 1 * p.s, y + tile - gap + 1 * p.s};
    draw::box(p.list, ring, 0, 2 * p.s, p.colours.now_line, 3 * p.s);
    f.ui.rects.put("tile with keys", ring);
  }
  draw::box(p.list, r, 0, 0, p.colours.border);
  p.list->AddLine(ImVec2(r.x0, r.y0), ImVec2(r.x1, r.y1), p.colours.warn, std::max(1.0f, 2 * p.s));
  f.ui.rects.put("tiles " + item.name, r);
}

void draw_matrix(const UiFrame& f, const Panel& p, const PictureItemModel& item, const draw::Rect& r, float t) {
  const Palette& c = p.colours;
  const float tile = r.width() / float(item.count), gap = tile > 12 * p.s ? 2 * p.s : tile > 5 * p.s ? 1.0f : 0;
  for (std::int64_t q = 0; q < item.count; ++q)
    for (std::int64_t k = 0; k < item.count; ++k) {
      const draw::Rect whole{r.x0 + float(k) * tile, r.y0 + float(q) * tile, r.x0 + float(k + 1) * tile - gap,
                             r.y0 + float(q + 1) * tile - gap};
      const draw::Rect at = grown(whole, part_at(t, q * item.count + k, item.count * item.count));
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

float draw_tiles_of_masks(const UiFrame& f, const Panel& p, const LessonPictureModel& m, const draw::Rect& area,
                          float t) {
  const float s = p.s, line = draw::leading(p.fonts.body), words = draw::leading(p.fonts.strong) + line + 14 * s;
  const float gap = 28 * s, count = float(m.items.size()), foot = line + 12 * s;
  const float side = std::min(area.height() - words - foot, (area.width() - gap * (count - 1)) / count);
  const float whole = side * count + gap * (count - 1), top = area.y0 + (area.height() - words - foot - side) * 0.4f;
  const float left = area.x0 + std::max(0.0f, (area.width() - whole) / 2);
  float x = left;
  bool plain = false;
  for (const PictureItemModel& item : m.items) {
    if (item.marks.empty())
      draw_matrix(f, p, item, {x, top, x + side, top + side}, t);
    else
      draw_marked_matrix(f, p, m, item, {x, top, x + side, top + side});
    draw::text(p.list, p.fonts.strong, x, top + side + 8 * s, p.colours.text,
               draw::elided(p.fonts.strong, item.name, side + gap - 6 * s));
    const std::string words_below = item.marks.empty()           ? item.words
                                    : f.views.lesson_panel->task ? f.views.lesson_panel->task->marked
                                                                 : "";
    if (!words_below.empty())
      draw::text(p.list, p.fonts.body, x, top + side + 8 * s + draw::leading(p.fonts.strong), p.colours.muted,
                 draw::elided(p.fonts.body, words_below, side + gap - 6 * s));
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
