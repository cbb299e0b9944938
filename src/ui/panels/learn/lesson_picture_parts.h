// The parts of a lesson's picture that have files of their own. Each comes on screen in the time of `filled`, which
// goes from 0 to 1 and then rests. Internal to ui/panels/learn.
#pragma once

#include <algorithm>
#include <cstdint>
#include <string_view>

#include "ui/panel.h"
#include "ui/widgets.h"

namespace tilewalk {

// How far part i of n has come when the whole has come so far, 0 to 1: the parts come one after another, each while the
// next has begun.
inline float part_at(float whole, std::int64_t i, std::int64_t n) {
  constexpr float kAtOnce = 3;
  if (n <= 1) return whole;
  const float each = std::min(1.0f, kAtOnce / float(n)), begin = float(i) / float(n - 1) * (1 - each);
  return std::clamp((whole - begin) / each, 0.0f, 1.0f);
}

// A rectangle that has grown so far, from its middle.
inline draw::Rect grown(const draw::Rect& r, float share) {
  const float x = (r.x0 + r.x1) / 2, y = (r.y0 + r.y1) / 2, w = r.width() / 2 * share, h = r.height() / 2 * share;
  return {x - w, y - h, x + w, y + h};
}

inline ImU32 fill_of(const Panel& p, const PictureItemModel& item) {
  return item.hue ? hue(p.colours, *item.hue) : p.colours.accent;
}

// The largest letters for a number in a box: at most half as high, and no wider.
Font font_of_number(const Panel&, std::string_view number, float wide, float high, const Font& least);

float height_of_heading(const Panel&, const PictureItemModel&);  // 0: it has none
float draw_picture_heading(const Panel&, const PictureItemModel&, float x, float y,
                           float room);  // returns the lower end
float width_of_names(const Panel&, const LessonPictureModel&, float most);
void draw_picture_name(const Panel&, const PictureItemModel&, float x, float middle, float names);

// What is asked, of a length that must not be read from the picture: it fades out towards the picture's right edge.
// sign: with a question mark; else draw_asked_key explains the band.
void draw_asked_band(const UiFrame&, const Panel&, const PictureItemModel&, const draw::Rect& lane, float edge,
                     bool sign);
// One line that explains the bands of a picture with several of them; empty once they are answered. Returns its height.
float draw_asked_key(const UiFrame&, const Panel&, const LessonPictureModel&, float x, float y);
void draw_guess_box(const Panel&, const draw::Rect& guess, const std::string& words);

// Bars on one scale, which grow at one rate. Returns the lower end.
float draw_bars(const UiFrame&, const Panel&, const LessonPictureModel&, const draw::Rect& area, float filled);

// A small drawing for a lesson's card: the kind of its first picture, in the hues of that picture's items.
void draw_lesson_icon(ImDrawList*, const Theme&, const draw::Rect&, const Lesson&);

// The steps of an order task between the two memories, in the learner's order: one column each. Returns the lower end.
float draw_trips(const UiFrame&, const Panel&, const LessonPictureModel&, const draw::Rect& area, float filled);

// Draws the cells of the first item down, those of the second across, and between them a cell for each pair, which is
// empty while the pairs are asked for. Returns the lower end.
float draw_pairs(const UiFrame&, const Panel&, const LessonPictureModel&, const draw::Rect& area, float filled);

// Matrices of equal tiles under a causal mask, side by side; which tiles are full, cut and skipped, unless it is asked.
// Returns the lower end.
float draw_tiles_of_masks(const UiFrame&, const Panel&, const LessonPictureModel&, const draw::Rect& area,
                          float filled);

}  // namespace tilewalk
