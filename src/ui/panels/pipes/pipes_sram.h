// The SRAM of one side of the pipes: a picture of the matrix with the cells that are done, and what is on chip.
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

void draw_pipe_sram(const SramPen&);

}  // namespace tilewalk
