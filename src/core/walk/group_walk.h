// The groups of one section in walk order, with the visits of each. Wraps TileWalk so that Q tiles, KV tiles or (Q
// tile, split) pairs may be outside. KV order reverse inverts the order of visits where Q tiles are outside, and of
// groups where KV tiles are. A KV tile that no row sees has no group: it has neither steps nor cost, unless the section
// includes every KV tile.
#pragma once

#include "core/walk/tile_walk.h"

namespace tilewalk {

enum class Outside { QTiles, KvTiles, Splits };

class GroupWalk {
 public:
  GroupWalk(const Problem&, const Band&, Outside, bool every_kv_tile = false);

  Outside outside() const { return outside_; }
  std::int64_t groups() const { return groups_; }
  std::int64_t groups_of_one_size() const {
    return groups_ - splits_;
  }  // the groups of the last outer tile may be shorter
  std::int64_t outer_tile(std::int64_t group) const { return group / splits_; }
  std::int64_t split(std::int64_t group) const { return group % splits_; }
  std::int64_t group_of(std::int64_t outer, std::int64_t inner) const { return outer * splits_ + inner / split_tiles_; }
  std::int64_t outer_size(std::int64_t group) const;  // rows or columns of its outer tile
  std::int64_t inner_size(std::int64_t tile) const;
  std::int64_t group_at(std::int64_t place) const { return reversed_ ? groups_ - 1 - place : place; }
  bool backwards() const { return reversed_; }
  bool occurs(std::int64_t group) const { return group >= first_seen_ && group < end_seen_; }

  TileRange visited(std::int64_t group) const;  // inner tiles
  std::int64_t visits(std::int64_t group) const { return visited(group).count(); }
  std::int64_t inner_tile(std::int64_t group, std::int64_t visit) const;
  std::int64_t visit_of(std::int64_t group, std::int64_t inner) const;  // -1 if not visited
  std::int64_t inner_sum_of_first(std::int64_t group, std::int64_t visits) const;

  // Sums over the groups [0, group) in increasing order, whatever the walk's order.
  std::int64_t occurring_below(std::int64_t group) const;
  std::int64_t visits_below(std::int64_t group) const;
  std::int64_t inner_sum_below(std::int64_t group) const;

 private:
  TileRange share(std::int64_t group, bool below) const;
  Outside outside_;
  std::int64_t outer_n_, outer_tile_, inner_n_, inner_tile_, splits_ = 1, split_tiles_, groups_;
  bool reversed_, visits_reversed_;
  std::int64_t first_seen_ = 0, end_seen_;
  TileWalk walk_;
};

}  // namespace tilewalk
