// The way of a tile between the two memories. In a column of panels it falls straight down, as a speck, through the gap
// between two columns of HBM's tiles; in the corridor it is a tile with its name, as large as the corridor allows, and
// falls on its place in SRAM from above. So it crosses no other tile. Tiles that cross together are side by side. While
// presenting HBM is a strip right above SRAM, and the tile falls straight down.
#pragma once

#include <optional>
#include <vector>

#include "ui/draw.h"

namespace tilewalk {

ImVec2 point_along(const std::vector<ImVec2>& corners, float share);  // of the length of a way with these corners

struct FlightPlan {
  draw::Rect hbm, sram;                // its two places
  std::optional<draw::Rect> corridor;  // as wide as the panel; empty while presenting
  bool lane_at_right = false;          // on which side of its place in HBM it falls
  float gap = 0;                       // height of the free space below a row of HBM
  float s = 1;
  float x = 0;     // of its middle as it enters the corridor
  float wide = 0;  // as it crosses

  float tile_height() const;
  // The whole way with round corners, from the edge of its place in HBM to that of its place in SRAM.
  std::vector<ImVec2> curve() const;
  std::vector<ImVec2> wire() const;  // from its place in HBM to its place at the top of the corridor
};

struct Flight {
  draw::Rect at;          // of the tile, or of the speck
  bool is_speck = false;  // too small for its name
  float fallen = 0;       // of the corridor, from 0 at its top to 1 in SRAM
};

// Gives tiles that cross together their places in the free part of the corridor, in the order of their places in SRAM.
void spread(std::vector<FlightPlan*>, const draw::Rect& room);

// down: from 0, in HBM, to 1, in SRAM.
Flight flight_at(const FlightPlan&, float down);

// A place for the lines of bytes beside the tiles that cross: right of all of them, or left; empty where neither fits.
struct FlightLabels {
  draw::Rect at;
  bool at_right = true;
};
std::optional<FlightLabels> flight_labels(const draw::Rect& corridor, const std::vector<draw::Rect>& sram, float wide,
                                          float high, float s);

}  // namespace tilewalk
