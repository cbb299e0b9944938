#include "session/document/zoom_squares.h"

#include <algorithm>
#include <cmath>

namespace tilewalk {
namespace {

constexpr std::int64_t kLengths[] = {512, 2048, 8192, 32768, kLongestZoom};

ZoomSquare kernel_tile(const Problem& p) {
  const FastTile tile = fast_tile(kernel_of_zoom(p).who, p.shape.d, is_causal(p.shape.mask.kind));
  return {ZoomSquareKind::KernelTile, tile.rows, tile.keys};
}

}  // namespace

const AttentionMethod& kernel_of_zoom(const Problem& p) {
  const AttentionMethod* const own = fast_method_of(p.schedule);
  return own ? *own : method_of(Contender::FlashV2);
}

double doublings(const std::vector<ZoomSquare>& squares) {
  return std::log2(double(squares.back().side()) / double(squares.front().side()));
}

HeadsWall wall_of(std::int64_t heads, std::int64_t batch) {
  constexpr std::int64_t kMostAcross = 4096;
  const auto up = [](std::int64_t a, std::int64_t b) { return (a + b - 1) / b; };
  HeadsWall best;
  double least = 0;
  for (std::int64_t across = 1; across <= std::min(heads, kMostAcross); ++across) {
    const std::int64_t down = up(heads, across);
    const auto square = std::int64_t(std::sqrt(double(batch) * double(down) / double(across)));
    for (std::int64_t blocks = std::max<std::int64_t>(1, square); blocks <= std::min(batch, square + 1); ++blocks) {
      const HeadsWall wall{heads, batch, across, down, blocks, up(batch, blocks)};
      const double slots = double(wall.across()) * double(wall.down()), side = double(wall.side());
      const bool neat = slots == wall.count() && side * side <= 2 * slots;
      const double cost = side * side * (neat ? 1 : 4) + (slots - wall.count()) / slots;
      if (least == 0 || cost <= least) best = wall, least = cost;
    }
  }
  return best;
}

std::vector<ZoomSquare> zoom_squares(const Problem& p, const HeadsWall& wall) {
  const Shape& shape = p.shape;
  const ZoomSquare tile{ZoomSquareKind::Tile, std::min(p.tiling.br, shape.n_q), std::min(p.tiling.bc, shape.n_kv)},
      walk{ZoomSquareKind::Walk, shape.n_q, shape.n_kv}, fast = kernel_tile(p);
  std::vector<ZoomSquare> out = {{ZoomSquareKind::Score, 1, 1}};
  if (tile.side() > 1) out.push_back(tile);
  if (walk.side() > tile.side()) out.push_back(walk);
  // Squares of almost one size would hide each other.
  const auto is_apart = [](const ZoomSquare& a, const ZoomSquare& b) {
    return a.side() >= 2 * b.side() || b.side() >= 2 * a.side();
  };
  const auto fits_in = [&](const ZoomSquare& square) {
    return std::all_of(out.begin(), out.end(), [&](const ZoomSquare& other) { return is_apart(square, other); });
  };
  if (fast.side() > tile.side() && fits_in(fast)) out.push_back(fast);
  for (const std::int64_t n : kLengths)
    if (const ZoomSquare square{ZoomSquareKind::Length, n, n}; n > walk.side() && fits_in(square))
      out.push_back(square);
  std::sort(out.begin(), out.end(), [](const ZoomSquare& a, const ZoomSquare& b) { return a.side() < b.side(); });
  if (out.back().kind == ZoomSquareKind::Score || out.back().kind == ZoomSquareKind::Tile)
    out.push_back({ZoomSquareKind::Length, 4 * tile.side(), 4 * tile.side()});
  const std::int64_t side = out.back().side();
  constexpr double kMostScores = double(std::int64_t(1) << 60);  // bytes of them have room in 64 bits
  if (wall.count() > 1 && wall.count() * double(side) * double(side) < kMostScores)
    out.push_back({ZoomSquareKind::Heads, wall.down() * side, wall.across() * side});
  const double first = std::log2(double(out.front().side())), last = std::log2(double(out.back().side()));
  for (ZoomSquare& square : out) square.t = (std::log2(double(square.side())) - first) / (last - first);
  return out;
}

}  // namespace tilewalk
