// Drawing functions over ImDrawList: text in a font, tags, hatches, bars, signs. Positions are absolute pixels. Signs
// (play, step, close, check) are drawn, not taken from a font, so they look alike everywhere.
#pragma once

#include <algorithm>
#include <initializer_list>
#include <string>
#include <string_view>
#include <vector>

#include "ui/theme.h"

namespace tilewalk::draw {

struct Rect {
  float x0 = 0, y0 = 0, x1 = 0, y1 = 0;
  float width() const { return x1 - x0; }
  float height() const { return y1 - y0; }
  ImVec2 min() const { return {x0, y0}; }
  ImVec2 max() const { return {x1, y1}; }
  ImVec2 middle() const { return {(x0 + x1) / 2, (y0 + y1) / 2}; }
  Rect inset(float by) const { return {x0 + by, y0 + by, x1 - by, y1 - by}; }
  // The smallest rectangle round both.
  Rect joined(const Rect& other) const {
    return {std::min(x0, other.x0), std::min(y0, other.y0), std::max(x1, other.x1), std::max(y1, other.y1)};
  }
  bool touches(const Rect& other) const { return x0 < other.x1 && other.x0 < x1 && y0 < other.y1 && other.y0 < y1; }
  bool holds(const ImVec2& p) const { return p.x >= x0 && p.x < x1 && p.y >= y0 && p.y < y1; }
};

float text_width(const Font&, std::string_view);
float widest_line(const Font&, std::string_view);  // of the lines that '\n' divides
float leading(const Font&);                        // height of a line of a paragraph
void text(ImDrawList*, const Font&, float x, float y, ImU32, std::string_view);
void text_right(ImDrawList*, const Font&, float right, float y, ImU32, std::string_view);
void text_in(ImDrawList*, const Font&, const Rect&, ImU32, std::string_view);  // centred on both axes
// The first of these fonts in which a text fits, by the size of its letters; null: none.
const Font* font_that_fits(std::initializer_list<const Font*>, std::string_view, float width, float height);
// The largest font in which a text fits on one line: `largest`, made smaller, but never smaller than `least`.
Font fitted(const Font& largest, const Font& least, std::string_view, float width);
std::string elided(const Font&, std::string_view, float width);  // "…" at the end if too wide
float caption(ImDrawList*, const Theme&, float x, float y, std::string_view,
              float width = 1e9f);  // in capitals, except letters of the paper and names; returns its width
float caption_width(const Theme&, std::string_view);
// The width of one line, as `paragraph` draws it.
float line_width(const Font&, const Font& largest, std::string_view);
struct Tint {  // bytes of a text in a colour of their own
  std::size_t begin = 0, end = 0;
  ImU32 colour = 0;
  ImU32 empty_box = 0;  // the outline of an empty box as wide as a word, in its place; 0: none
};
// Wraps at words within `width`, never before a number's unit, and leaves no last word alone on a line. Raises "^(…)",
// as in e^(−1), in the font `largest`, made smaller where it is nearly as large as the letters beside it. Words that
// begin in a tint have its colour. Returns the height used. Draws nothing if list is null.
float paragraph(ImDrawList*, const Font&, const Font& largest, float x, float y, float width, ImU32, std::string_view,
                const std::vector<Tint>& = {});

float hairline();  // width of the thinnest line at the interface's scale
void box(ImDrawList*, const Rect&, ImU32 fill, float rounding, ImU32 border = 0, float thickness = hairline());
struct Dashes {
  float length = 0, thickness = hairline();
  float corner = 0;  // left open at each corner
  bool sides_alone = false;
};
void dashed(ImDrawList*, const Rect&, ImU32 colour, const Dashes&);
// The remains of a box that dissolves: fewer and fewer specks. gone: 0 to 1.
void specks(ImDrawList*, const Rect&, ImU32 fill, float gone);
void hatch(ImDrawList*, const Rect&, ImU32 colour, float spacing, float thickness);

enum class Sign { Play, Pause, StepBack, StepForward, First, Last, Check, Cross, Dash, Ring, Down, Up, Dot, Alert };
void sign(ImDrawList*, Sign, const Rect&, ImU32, float scale);

}  // namespace tilewalk::draw
