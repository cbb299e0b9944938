// How the numbers of a block (a tile of scores, of K, of O) are written: all of them, each with its sign and all its
// digits, in one font, or none.
#pragma once

#include <initializer_list>
#include <string>
#include <vector>

#include "core/problem/problem.h"
#include "ui/draw.h"

namespace tilewalk {

struct NumberStyle {
  const Font* font = nullptr;  // null: the numbers do not all fit
  bool decimal = false;        // decimals instead of exact fractions, which are longer
  std::string of(const Problem&, double value) const;
};

struct NumberRoom {  // a font, and the space that stays free beside a number in a cell, in pixels
  const Font* font;
  float beside, above;
};

// The first of the fonts in which all numbers fit in cells of that size.
NumberStyle number_style(const Problem&, const std::vector<float>& values, float wide, float high,
                         std::initializer_list<NumberRoom> fonts);

}  // namespace tilewalk
