#include "core/walk/tile_walk.h"

#include <algorithm>

#include "base/divide.h"

namespace tilewalk {
namespace {

// Sum over i in [0, n) of floor((a i + b) / m), for a, b >= 0, m > 0.
__int128 floor_sum(__int128 n, __int128 m, __int128 a, __int128 b) {
  __int128 sum = 0;
  while (n > 0) {
    sum += (n - 1) * n / 2 * (a / m);
    a %= m;
    sum += n * (b / m);
    b %= m;
    const __int128 top = a * n + b;
    if (top < m) break;
    n = top / m;
    b = top % m;
    std::swap(m, a);
  }
  return sum;
}

}  // namespace

TileWalk::TileWalk(const Problem& p, const Band& band)
    : n_kv_(p.shape.n_kv),
      n_q_(p.shape.n_q),
      br_(p.tiling.br),
      bc_(p.tiling.bc),
      kv_tiles_(p.kv_tiles()),
      full_q_tiles_(p.shape.n_q / p.tiling.br),
      reverse_(p.tiling.order == KvOrder::Reverse),
      band_(band) {}

TileRange TileWalk::visited(std::int64_t q_tile) const {
  const std::int64_t row_end = std::min(n_q_, (q_tile + 1) * br_);
  return visited_kv_tiles(band_, q_tile * br_, row_end, n_kv_, bc_);
}

// First visited tile of Q tile i: 0 while i br + low < 0, kv_tiles once i br + low >= n_kv, else a floor.
std::int64_t TileWalk::begin_sum(std::int64_t q_tiles) const {
  const std::int64_t from = std::clamp<std::int64_t>(ceil_div(-band_.low, br_), 0, q_tiles);
  const std::int64_t to = std::clamp<std::int64_t>(ceil_div(n_kv_ - band_.low, br_), from, q_tiles);
  __int128 sum = __int128(q_tiles - to) * kv_tiles_;
  if (to > from) sum += floor_sum(to - from, bc_, br_, __int128(from) * br_ + band_.low);
  return std::int64_t(sum);
}

// One past the last: 0 while (i + 1) br + high <= 0, kv_tiles once it reaches n_kv, else a ceiling.
std::int64_t TileWalk::end_sum(std::int64_t q_tiles) const {
  const std::int64_t from = std::clamp<std::int64_t>(ceil_div(1 - band_.high, br_) - 1, 0, q_tiles);
  const std::int64_t to = std::clamp<std::int64_t>(ceil_div(n_kv_ - band_.high, br_) - 1, from, q_tiles);
  __int128 sum = __int128(q_tiles - to) * kv_tiles_;
  if (to > from) sum += floor_sum(to - from, bc_, br_, __int128(from + 1) * br_ + band_.high + bc_ - 1);
  return std::int64_t(sum);
}

std::int64_t TileWalk::ends_ragged(std::int64_t q_tiles) const {
  const std::int64_t last_tile_begin = (kv_tiles_ - 1) * bc_;
  const std::int64_t from = std::clamp<std::int64_t>(ceil_div(last_tile_begin + 1 - band_.high, br_) - 1, 0, q_tiles);
  const std::int64_t to = std::clamp<std::int64_t>(ceil_div(n_kv_ - band_.low, br_), from, q_tiles);
  return to - from;
}

std::int64_t TileWalk::visits_before(std::int64_t q_tile) const {
  const std::int64_t whole = std::min(q_tile, full_q_tiles_);
  std::int64_t visits = end_sum(whole) - begin_sum(whole);
  if (q_tile > whole) visits += visited(whole).count();
  return visits;
}

std::int64_t TileWalk::cols_before(std::int64_t q_tile) const {
  const std::int64_t whole = std::min(q_tile, full_q_tiles_);
  const std::int64_t short_by = kv_tiles_ * bc_ - n_kv_;
  std::int64_t cols = (end_sum(whole) - begin_sum(whole)) * bc_ - ends_ragged(whole) * short_by;
  if (q_tile > whole) cols += cols_of_first(whole, visited(whole).count());
  return cols;
}

std::int64_t TileWalk::cols_of_first(std::int64_t q_tile, std::int64_t visits) const {
  if (visits == 0) return 0;
  const TileRange range = visited(q_tile);
  if (reverse_) return std::min(n_kv_, range.end * bc_) - (range.end - visits) * bc_;
  return std::min(n_kv_, (range.begin + visits) * bc_) - range.begin * bc_;
}

}  // namespace tilewalk
