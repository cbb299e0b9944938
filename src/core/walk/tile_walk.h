// The geometry of one (batch, head): which KV tiles each Q tile visits, and prefix sums over Q tiles in closed form, so
// that no table of tiles is needed at any length. Sums of floors come from the Euclid-like recurrence of "floor sum"
// (Knuth, TAOCP 1.2.4), O(log) each.
#pragma once

#include <cstdint>

#include "core/problem/problem.h"

namespace tilewalk {

class TileWalk {
 public:
  TileWalk(const Problem&, const Band&);  // an open Band visits every tile

  TileRange visited(std::int64_t q_tile) const;
  std::int64_t visits_before(std::int64_t q_tile) const;  // visits of Q tiles [0, q_tile)
  std::int64_t cols_before(std::int64_t q_tile) const;    // columns loaded over those visits
  // Columns over the first `visits` visits of a Q tile, in walk order.
  std::int64_t cols_of_first(std::int64_t q_tile, std::int64_t visits) const;

 private:
  std::int64_t begin_sum(std::int64_t q_tiles) const;    // sum of first visited tile, Q tiles of full height
  std::int64_t end_sum(std::int64_t q_tiles) const;      // sum of one past the last visited tile
  std::int64_t ends_ragged(std::int64_t q_tiles) const;  // how many of them load the short last KV tile
  std::int64_t n_kv_, n_q_, br_, bc_, kv_tiles_, full_q_tiles_;
  bool reverse_;
  Band band_;
};

}  // namespace tilewalk
