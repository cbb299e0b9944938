// The positions and sizes while presenting: capital letters are at least 2 % of the picture's height, lines at least 3
// %. A pure function of the framebuffer. The scale makes the smallest letters used here large enough, so it depends on
// the height alone. The model gets the space and leaves out what does not fit in the width.
#pragma once

#include "ui/draw.h"
#include "view/present/present_model.h"

namespace tilewalk {

inline constexpr float kLeastCapital = 0.02f;  // of the picture's height

struct PresentLayout {
  draw::Rect hbm, between, sram;  // the two memories, and what crosses
  draw::Rect tile, table, sentence, strip;
  float line = 0;         // height of a line of the sentence
  float row = 0;          // minimum, of the tile and the table
  float cell = 0;         // minimum width of a cell of the tile
  float row_head = 0;     // width of the row numbers left of it
  float title = 0;        // height of the titles above tile and table
  float memory_name = 0;  // width of the names of the memories
};

float present_scale(float width, float height);  // of the theme while presenting
// film: the tour's strip is above all of it, and the class's place in the walk has no words and no buttons.
PresentLayout compute_present_layout(float width, float height, bool film = false);
// The memories in the place of the tile and of the table too.
PresentLayout with_large_memories(PresentLayout);
PresentRoom present_room(const PresentLayout&);
// For a tile or a table of so many rows. part: with a line below that names the part of the tile. right: with the right
// numbers below, one row more than the room has space for, so that all of them are lower.
float present_row_height(const PresentLayout&, std::size_t rows, bool part, bool right = false);

// Black on white, or white on black: for weak projectors.
Palette present_palette(bool dark);

}  // namespace tilewalk
