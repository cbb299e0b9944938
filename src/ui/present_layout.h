// Where things lie while presenting, and how large type is: capital letters at least 2 % of the picture's height, lines
// at least 3 %. A pure function of the framebuffer. The scale makes the smallest letters used here large enough, so it
// follows the height alone; what does not fit in the width is left out by the model, which is told the room.
#pragma once

#include "ui/draw.h"
#include "view/present/present_model.h"

namespace tilewalk {

inline constexpr float kLeastCapital = 0.02f;  // of the picture's height

struct PresentLayout {
  draw::Rect tile, table, sentence, strip;
  float line = 0;      // from one line of the sentence to the next
  float row = 0;       // of the tile and the table, at least
  float cell = 0;      // width of a cell of the tile, at least
  float row_head = 0;  // width of the numbers of rows left of it
  float title = 0;     // height of the titles above tile and table
};

float present_scale(float width, float height);  // of the theme, while presenting
PresentLayout compute_present_layout(float width, float height);
PresentRoom present_room(const PresentLayout&);
// Of a tile or a table of so many rows; with a line below that tells what part of the tile it is.
float present_row_height(const PresentLayout&, std::size_t rows, bool part);

// Black on white, or white on black: for weak projectors.
Palette present_palette(bool dark);

}  // namespace tilewalk
