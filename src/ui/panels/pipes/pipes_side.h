// One side of two walks, one pipe: where its parts are and how large a byte is drawn, shared by the files that draw it.
#pragma once

#include <vector>

#include "ui/panel.h"
#include "view/pipes/pipes_model.h"

namespace tilewalk {

struct PipesScale {
  float pixels_a_byte = 0;    // width of a pipe for each byte of a visit
  float area_a_byte = 0;      // square pixels of an area for each byte in HBM
  std::vector<float> groups;  // width for each tensor: its area and its pipes
  float space = 0;            // between tensors
};

// The places on one side, from the top down.
struct SidePlaces {
  draw::Rect head, hbm, pipes, sram;
  float areas_high = 0;  // for the largest area
};

struct SidePen {
  const UiFrame& f;
  Panel& p;
  const PipesModel& m;
  const PipeSide& side;
  const SidePlaces& at;
  const PipesScale& scale;
  int index;
  float s;
};

float pipe_width(const PipesScale&, const Pipe&, float s);
float left_of(const SidePen&, std::size_t tensor);  // of the tensor's area and pipes

bool draw_pipes(const SidePen&);  // true if a label is a number without its unit
// On the side that moves fewer bytes: how many times fewer. Returns the right end of what is left of the head.
float draw_ratio(const SidePen&);

}  // namespace tilewalk
