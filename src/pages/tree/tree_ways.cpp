#include "pages/tree/tree_ways.h"

#include <algorithm>
#include <cstdlib>

namespace tilewalk {
namespace {

struct Piece {  // a vertical one, without its track yet
  int way = 0, span = 0;
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

TreeWays tree_ways(const std::vector<TreePlace>& places, const std::vector<TreeEdge>& edges, int columns, int rows) {
  TreeWays out;
  out.ways.resize(edges.size());
  out.tracks.assign(std::size_t(columns), 0);
  out.channels.assign(std::size_t(rows), 0);
  const auto is_free = [&](int row, int first, int last) {  // of these columns
    return std::none_of(places.begin(), places.end(),
                        [&](const TreePlace& p) { return p.row == row && p.column >= first && p.column <= last; });
  };
  std::vector<std::vector<Piece>> pieces(static_cast<std::size_t>(columns));
  for (std::size_t i = 0; i < edges.size(); ++i) {
    const TreePlace &old = places[std::size_t(edges[i].from)], &young = places[std::size_t(edges[i].to)];
    TreeWay& way = out.ways[i];
    const int span = std::abs(young.row - old.row);
    if (old.column == young.column) {
      way.kind = young.row == old.row + 1 ? TreeWayKind::Down : TreeWayKind::Beside;
      way.gutter = old.column - 1;
    } else if (young.row == old.row && is_free(old.row, old.column + 1, young.column - 1)) {
      way.kind = TreeWayKind::Straight;
    } else if (is_free(young.row, old.column + 1, young.column - 1)) {
      way.kind = TreeWayKind::Target;
      way.gutter = old.column;
    } else if (is_free(old.row, old.column + 1, young.column - 1)) {
      way.kind = TreeWayKind::Source;
      way.gutter = young.column - 1;
    } else {
      way.kind = TreeWayKind::Channel;
      way.gutter = old.column, way.gutter_in = young.column - 1;
      way.channel = young.row > old.row ? young.row : young.row + 1;
      way.channel = std::min(way.channel, rows - 1);
      way.channel_track = out.channels[std::size_t(way.channel)]++;
      pieces[std::size_t(way.gutter_in)].push_back({int(i), span, true});
    }
    // Lines beside a column are next to it, so that none crosses them on its way in.
    if (way.gutter >= 0 && way.kind != TreeWayKind::Down)
      pieces[std::size_t(way.gutter)].push_back({int(i), way.kind == TreeWayKind::Beside ? -1 : span});
  }
  for (std::size_t g = 0; g < pieces.size(); ++g) {  // the longest first: then lines of one box do not cross
    std::stable_sort(pieces[g].begin(), pieces[g].end(),
                     [](const Piece& a, const Piece& b) { return a.span > b.span; });
    for (const Piece& piece : pieces[g]) {
      TreeWay& way = out.ways[std::size_t(piece.way)];
      (piece.second ? way.track_in : way.track) = out.tracks[g]++;
    }
  }
  // First the left sides: a straight line leaves at the port at which it arrives.
  for (const bool left : {true, false})
    for (std::size_t box = 0; box < places.size(); ++box) {
      std::vector<End> ends;
      for (std::size_t i = 0; i < edges.size(); ++i) {
        TreeWay& way = out.ways[i];
        if (way.kind == TreeWayKind::Down) continue;
        if (edges[i].to == int(box) && left) ends.push_back({places[std::size_t(edges[i].from)].row, &way.in});
        if (edges[i].from != int(box) || (way.kind == TreeWayKind::Beside) != left) continue;
        const bool straight = way.kind == TreeWayKind::Straight;
        if (straight) way.out = way.in;
        ends.push_back({places[std::size_t(edges[i].to)].row, &way.out, straight});
      }
      give_ports(std::move(ends));
    }
  return out;
}

}  // namespace tilewalk
