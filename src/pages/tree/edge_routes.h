// The routes of the edges from parents to children, between the boxes and never behind one. Every vertical piece has a
// track of its own in the gutter between two columns, every line a port of its own at its boxes, and a horizontal piece
// runs through free cells of a row or through a channel above a row. The page turns tracks and ports into pixels.
#pragma once

#include <vector>

namespace tilewalk {

struct RoutedBox {
  int column = 0, row = 0;
};

enum class RouteKind {
  Straight,  // along a row, from port to port
  Upright,   // along a column, to a box above or below
  Beside,    // to another box of the same column, by the gutter at its left
  Source,    // along the row of the parent, then one vertical piece before the child
  Target,    // one vertical piece behind the parent, then along the row of the child
  Channel,   // behind the parent, along above a row, and before the child
};

// Ports are counted in tracks from the middle of a box, downwards: those of all boxes of a row are on one lattice.

struct EdgeRoute {
  RouteKind kind{};
  int out = 0, in = 0;                  // ports at the parent and at the child
  int gutter = -1, track = 0;           // gutter i is right of column i
  int gutter_in = -1, track_in = 0;     // Channel: the second vertical piece
  int channel = -1, channel_track = 0;  // above that row
};

struct EdgeRoutes {
  std::vector<EdgeRoute> routes;  // of the lines, in their order
  std::vector<int> tracks;        // of each gutter
  std::vector<int> channels;      // of each row
};

struct RoutedEdge {
  int from = 0, to = 0;  // places
};

EdgeRoutes route_edges(const std::vector<RoutedBox>&, const std::vector<RoutedEdge>&, int columns, int rows);

}  // namespace tilewalk
