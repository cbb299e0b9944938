// The positions of the tree's boxes, the lines between them, the sketch of a loop in a box, and the key of all marks.
#pragma once

#include <vector>

#include "pages/tree/tree_model.h"
#include "ui/panels/panels.h"

namespace tilewalk {

struct TreeGrid {
  float x = 0, y = 0, row = 0;    // of the first box's row; row: from one to the next
  float wide = 0, between = 0;    // of a box; the free height between two rows
  float step = 8;                 // between two tracks, at least 8 pixels
  std::vector<float> lefts = {};  // of the boxes of each column

  float left(int column) const { return lefts[std::size_t(column)]; }
  draw::Rect box(int column, int in_row) const {
    const float top = y + row * float(in_row) + between / 2;
    return {left(column), top, left(column) + wide, top + row - between};
  }
};

float lane_names(const Panel&, const TreeModel&);    // the width of the lanes' titles
TreeGrid tree_grid(const Panel&, const TreeModel&);  // below the pen
std::vector<ImVec2> points_of(const EdgeRoute&, const TreeBox& parent, const TreeBox& child, const TreeGrid&);
void draw_edges(const UiFrame&, const Panel&, const TreeModel&, const TreeGrid&);
// t: the share of each thread block's visits that is drawn; the tiles of the others are pale.
void draw_loop(const UiFrame&, const Panel&, const TreeOrder&, const draw::Rect&, const std::string& name,
               double t = 1);
// How much of a tile's visit is done at t, 0 to 1, and its colour then.
float visited_share(const TreeOrder&, std::size_t tile, double t);
ImU32 tile_colour(const Palette&, const TreeOrder&, std::size_t tile, double t);
void draw_overlap(const UiFrame&, const Panel&, const TreeOverlap&, const draw::Rect&);

// Of a bar, in a box: darker than the box in the light theme, lighter in the dark one.
inline ImU32 bar_track(const Palette& c) { return mix(c.button, c.muted, 0.4f); }

// For a class: a map of the whole tree, and large the chosen member between what it is built on and what is built on
// it.
void draw_tree_for_room(const UiFrame&, Panel&, const TreeModel&);

// What the marks of the tree mean, each with its mark, from the pen. drawn: as a picture, not as lists; published: some
// boxes have the words of a published figure.
void draw_key(const UiFrame&, Panel&, const TreeModel&, bool drawn, bool published);

}  // namespace tilewalk
