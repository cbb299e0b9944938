#include "pages/tree/edge_routes.h"

#include <algorithm>
#include <cstdlib>

namespace tilewalk {
namespace {

struct Piece {  // a vertical one, without its track yet
  int route = 0, span = 0;
  bool second = false;
};

struct End {    // of a line at one side of a box
  int row = 0;  // of its other box
  int* port = nullptr;
  bool fixed = false;  // a straight line, whose port is known
};

// The lines in the order of the rows from which they come or to which they go. Around a fixed port, else the middle.
void give_ports(std::vector<End> ends) {
  std::stable_sort(ends.begin(), ends.end(), [](const End& a, const End& b) { return a.row < b.row; });
  const auto fixed = std::find_if(ends.begin(), ends.end(), [](const End& e) { return e.fixed; });
  const int first = fixed != ends.end() ? *fixed->port - int(fixed - ends.begin()) : -int(ends.size()) / 2;
  for (std::size_t i = 0; i < ends.size(); ++i) *ends[i].port = first + int(i);
}

}  // namespace

EdgeRoutes route_edges(const std::vector<RoutedBox>& places, const std::vector<RoutedEdge>& edges, int columns,
                       int rows) {
  EdgeRoutes out;
  out.routes.resize(edges.size());
  out.tracks.assign(std::size_t(columns), 0);
  out.channels.assign(std::size_t(rows), 0);
  const auto is_free = [&](int row, int first, int last) {  // of these columns
    return std::none_of(places.begin(), places.end(),
                        [&](const RoutedBox& p) { return p.row == row && p.column >= first && p.column <= last; });
  };
  std::vector<std::vector<Piece>> pieces(static_cast<std::size_t>(columns));
  for (std::size_t i = 0; i < edges.size(); ++i) {
    const RoutedBox &parent = places[std::size_t(edges[i].from)], &child = places[std::size_t(edges[i].to)];
    EdgeRoute& route = out.routes[i];
    const int span = std::abs(child.row - parent.row);
    if (parent.column == child.column) {
      const auto [above, below] = std::minmax(parent.row, child.row);
      const bool free = std::none_of(places.begin(), places.end(), [&, above = above, below = below](const auto& p) {
        return p.column == parent.column && p.row > above && p.row < below;
      });
      route.kind = free ? RouteKind::Upright : RouteKind::Beside;
      route.gutter = parent.column - 1;
    } else if (child.row == parent.row && is_free(parent.row, parent.column + 1, child.column - 1)) {
      route.kind = RouteKind::Straight;
    } else if (is_free(child.row, parent.column + 1, child.column - 1)) {
      route.kind = RouteKind::Target;
      route.gutter = parent.column;
    } else if (is_free(parent.row, parent.column + 1, child.column - 1)) {
      route.kind = RouteKind::Source;
      route.gutter = child.column - 1;
    } else {
      route.kind = RouteKind::Channel;
      route.gutter = parent.column, route.gutter_in = child.column - 1;
      route.channel = child.row > parent.row ? child.row : child.row + 1;
      route.channel = std::min(route.channel, rows - 1);
      route.channel_track = out.channels[std::size_t(route.channel)]++;
      pieces[std::size_t(route.gutter_in)].push_back({int(i), span, true});
    }
    // Lines beside a column are next to it, so that none crosses them on its way in.
    if (route.gutter >= 0 && route.kind != RouteKind::Upright)
      pieces[std::size_t(route.gutter)].push_back({int(i), route.kind == RouteKind::Beside ? -1 : span});
  }
  for (std::size_t g = 0; g < pieces.size(); ++g) {  // the longest first: then lines of one box do not cross
    std::stable_sort(pieces[g].begin(), pieces[g].end(),
                     [](const Piece& a, const Piece& b) { return a.span > b.span; });
    for (const Piece& piece : pieces[g]) {
      EdgeRoute& route = out.routes[std::size_t(piece.route)];
      (piece.second ? route.track_in : route.track) = out.tracks[g]++;
    }
  }
  // First the left sides: a straight line leaves at the port at which it arrives.
  for (const bool left : {true, false})
    for (std::size_t box = 0; box < places.size(); ++box) {
      std::vector<End> ends;
      for (std::size_t i = 0; i < edges.size(); ++i) {
        EdgeRoute& route = out.routes[i];
        if (route.kind == RouteKind::Upright) continue;
        if (edges[i].to == int(box) && left) ends.push_back({places[std::size_t(edges[i].from)].row, &route.in});
        if (edges[i].from != int(box) || (route.kind == RouteKind::Beside) != left) continue;
        const bool straight = route.kind == RouteKind::Straight;
        if (straight) route.out = route.in;
        ends.push_back({places[std::size_t(edges[i].to)].row, &route.out, straight});
      }
      give_ports(std::move(ends));
    }
  return out;
}

}  // namespace tilewalk
