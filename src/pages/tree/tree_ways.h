// The ways of the lines from parents to children, between the boxes and never behind one. Every vertical piece has a
// track of its own in the gutter between two columns, every line a port of its own at its boxes, and a horizontal piece
// runs through free cells of a row or through a channel above a row. The page turns tracks and ports into pixels.
#pragma once

#include <vector>

namespace tilewalk {

struct TreePlace {
  int column = 0, row = 0;
};

enum class TreeWayKind {
  Straight,  // along a row, from port to port
  Down,      // to the box directly below
  Beside,    // to another box of the same column, by the gutter at its left
  Source,    // along the row of the older box, then one vertical piece before the younger one
  Target,    // one vertical piece behind the older box, then along the row of the younger one
  Channel,   // behind the older box, along above a row, and before the younger one
};

// Ports are counted in tracks from the middle of a box, downwards: those of all boxes of a row are on one lattice.

struct TreeWay {
  TreeWayKind kind{};
  int out = 0, in = 0;                  // ports at the older and at the younger box
  int gutter = -1, track = 0;           // gutter i is right of column i
  int gutter_in = -1, track_in = 0;     // Channel: the second vertical piece
  int channel = -1, channel_track = 0;  // above that row
};

struct TreeWays {
  std::vector<TreeWay> ways;  // of the lines, in their order
  std::vector<int> tracks;    // of each gutter
  std::vector<int> channels;  // of each row
};

struct TreeEdge {
  int from = 0, to = 0;  // places
};

TreeWays tree_ways(const std::vector<TreePlace>&, const std::vector<TreeEdge>&, int columns, int rows);

}  // namespace tilewalk
