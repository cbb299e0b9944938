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

std::vector<ZoomSquare> zoom_squares(const Problem& p) {
  const Shape& shape = p.shape;
  const ZoomSquare tile{ZoomSquareKind::Tile, std::min(p.tiling.br, shape.n_q), std::min(p.tiling.bc, shape.n_kv)},
      walk{ZoomSquareKind::Walk, shape.n_q, shape.n_kv}, fast = kernel_tile(p);
  std::vector<ZoomSquare> out = {tile};
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
  if (out.size() < 2) out.push_back({ZoomSquareKind::Length, 4 * tile.side(), 4 * tile.side()});
  std::sort(out.begin(), out.end(), [](const ZoomSquare& a, const ZoomSquare& b) { return a.side() < b.side(); });
  const double first = std::log2(double(out.front().side())), last = std::log2(double(out.back().side()));
  for (ZoomSquare& square : out) square.t = (std::log2(double(square.side())) - first) / (last - first);
  return out;
}

}  // namespace tilewalk
