// The groups of one section: outer tiles in walk order, with the visits of each. Wraps TileWalk so that Q tiles or KV tiles
// may be outside. KV order reverse turns the visits round where Q tiles are outside, and the groups where KV tiles are.
// A KV tile that no row sees is no group's: it has neither steps nor cost.
#pragma once

#include "core/tile_walk.h"

namespace tilewalk {

class GroupWalk {
 public:
  GroupWalk(const Problem&, const Band&, bool kv_outside);

  std::int64_t tiles() const { return tiles_; }                    // outer tiles, seen or not
  std::int64_t outer_size(std::int64_t tile) const;                // rows or columns of an outer tile
  std::int64_t inner_size(std::int64_t tile) const;
  std::int64_t place_of(std::int64_t tile) const { return reversed_ ? tiles_ - 1 - tile : tile; }
  std::int64_t tile_at(std::int64_t place) const { return place_of(place); }
  bool occurs(std::int64_t tile) const;                            // has steps at all
  std::int64_t visits(std::int64_t tile) const { return walk_.visited(tile).count(); }
  std::int64_t inner_tile(std::int64_t tile, std::int64_t visit) const { return walk_.kv_tile_of_visit(tile, visit); }
  std::int64_t visit_of(std::int64_t tile, std::int64_t inner) const { return walk_.visit_of_kv_tile(tile, inner); }
  std::int64_t inner_sum_of_first(std::int64_t tile, std::int64_t visits) const { return walk_.cols_of_first(tile, visits); }

  // Sums over the tiles [0, tile) in increasing order of tile, whatever the walk's order.
  std::int64_t occurring_below(std::int64_t tile) const;
  std::int64_t visits_below(std::int64_t tile) const { return walk_.visits_before(tile); }
  std::int64_t inner_sum_below(std::int64_t tile) const { return walk_.cols_before(tile); }

 private:
  std::int64_t outer_n_, outer_tile_, inner_n_, inner_tile_, tiles_;
  bool reversed_;
  std::int64_t first_seen_ = 0, end_seen_;
  TileWalk walk_;
};

}  // namespace tilewalk
