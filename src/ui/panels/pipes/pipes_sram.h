// The SRAM of one side of the pipes: a picture of the matrix with the cells that are done, and what is on chip. A
// class sees the tiles on chip instead.
#pragma once

#include "ui/panel.h"
#include "view/pipes/pipes_model.h"

namespace tilewalk {

struct SramPen {
  const UiFrame& f;
  Panel& p;
  const PipeSide& side;
  const draw::Rect& at;
  int index;  // of the side
  float s;
};

// matrix: draws the picture of the matrix too. fits_matrix: its legend has a place below the first sentence.
bool fits_matrix(const SramPen&);
float least_height_of_sram(const Panel&);  // its name, its title and a line of words
// Its height while a class is shown the page: one line, of its name and the tiles on chip.
float height_of_sram_for_class(const Panel&);
void draw_pipe_sram(const SramPen&, bool matrix);

}  // namespace tilewalk
