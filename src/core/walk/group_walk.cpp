#include "core/walk/group_walk.h"

#include <algorithm>

namespace tilewalk {
namespace {

Problem turned(const Problem& p) {
  Problem t = p;
  std::swap(t.shape.n_q, t.shape.n_kv);
  std::swap(t.tiling.br, t.tiling.bc);
  t.tiling.order = KvOrder::Forward;
  return t;
}

}  // namespace

GroupWalk::GroupWalk(const Problem& p, const Band& band, Outside outside, bool every_kv_tile)
    : outside_(outside),
      outer_n_(outside == Outside::KvTiles ? p.shape.n_kv : p.shape.n_q),
      outer_tile_(outside == Outside::KvTiles ? p.tiling.bc : p.tiling.br),
      inner_n_(outside == Outside::KvTiles ? p.shape.n_q : p.shape.n_kv),
      inner_tile_(outside == Outside::KvTiles ? p.tiling.br : p.tiling.bc),
      splits_(outside == Outside::Splits ? p.tiling.splits : 1),
      split_tiles_(outside == Outside::Splits    ? p.split_tiles()
                   : outside == Outside::KvTiles ? p.q_tiles()
                                                 : p.kv_tiles()),
      groups_((outside == Outside::KvTiles ? p.kv_tiles() : p.q_tiles()) * splits_),
      reversed_(outside == Outside::KvTiles && p.tiling.order == KvOrder::Reverse),
      visits_reversed_(outside != Outside::KvTiles && p.tiling.order == KvOrder::Reverse),
      end_seen_(groups_),
      walk_(outside == Outside::KvTiles ? turned(p) : p,
            outside == Outside::KvTiles ? Band{-band.high, -band.low} : band) {
  if (outside != Outside::KvTiles || every_kv_tile) return;
  // A column counts as seen if it lies between the first and the last column that any row sees.
  const std::int64_t first_col = std::max<std::int64_t>(0, band.low),
                     end_col = std::min(p.shape.n_kv, p.shape.n_q + band.high);
  first_seen_ = std::clamp<std::int64_t>(first_col / p.tiling.bc, 0, groups_);
  end_seen_ = end_col <= first_col
                  ? first_seen_
                  : std::clamp<std::int64_t>((end_col + p.tiling.bc - 1) / p.tiling.bc, first_seen_, groups_);
}

std::int64_t GroupWalk::outer_size(std::int64_t group) const {
  return std::min(outer_tile_, outer_n_ - outer_tile(group) * outer_tile_);
}
std::int64_t GroupWalk::inner_size(std::int64_t tile) const {
  return std::min(inner_tile_, inner_n_ - tile * inner_tile_);
}
std::int64_t GroupWalk::occurring_below(std::int64_t group) const {
  return std::clamp(group, first_seen_, end_seen_) - first_seen_;
}

// The outer tile's visited range cut to this split, or to all splits below it.
TileRange GroupWalk::share(std::int64_t group, bool below) const {
  const TileRange all = walk_.visited(outer_tile(group));
  const std::int64_t from = below ? 0 : split(group) * split_tiles_,
                     to = below ? split(group) * split_tiles_ : from + split_tiles_;
  const std::int64_t begin = std::clamp(from, all.begin, all.end), end = std::clamp(to, begin, all.end);
  return {begin, end};
}

TileRange GroupWalk::visited(std::int64_t group) const { return share(group, false); }

std::int64_t GroupWalk::inner_tile(std::int64_t group, std::int64_t visit) const {
  const TileRange range = visited(group);
  return visits_reversed_ ? range.end - 1 - visit : range.begin + visit;
}

std::int64_t GroupWalk::visit_of(std::int64_t group, std::int64_t inner) const {
  const TileRange range = visited(group);
  if (inner < range.begin || inner >= range.end) return -1;
  return visits_reversed_ ? range.end - 1 - inner : inner - range.begin;
}

std::int64_t GroupWalk::inner_sum_of_first(std::int64_t group, std::int64_t visits) const {
  if (visits == 0) return 0;
  const TileRange range = visited(group);
  if (visits_reversed_) return std::min(inner_n_, range.end * inner_tile_) - (range.end - visits) * inner_tile_;
  return std::min(inner_n_, (range.begin + visits) * inner_tile_) - range.begin * inner_tile_;
}

std::int64_t GroupWalk::visits_below(std::int64_t group) const {
  const std::int64_t whole = walk_.visits_before(outer_tile(group));
  return split(group) == 0 ? whole : whole + share(group, true).count();
}

std::int64_t GroupWalk::inner_sum_below(std::int64_t group) const {
  const std::int64_t whole = walk_.cols_before(outer_tile(group));
  if (split(group) == 0) return whole;
  const TileRange range = share(group, true);
  return range.count() == 0 ? whole : whole + std::min(inner_n_, range.end * inner_tile_) - range.begin * inner_tile_;
}

}  // namespace tilewalk
