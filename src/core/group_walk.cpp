#include "core/group_walk.h"

#include <algorithm>

namespace tilewalk {
namespace {

Problem turned(const Problem& p) {
  Problem t = p;
  std::swap(t.n_q, t.n_kv);
  std::swap(t.br, t.bc);
  t.order = KvOrder::Forward;
  return t;
}

}  // namespace

GroupWalk::GroupWalk(const Problem& p, const Band& band, bool kv_outside)
    : outer_n_(kv_outside ? p.n_kv : p.n_q), outer_tile_(kv_outside ? p.bc : p.br), inner_n_(kv_outside ? p.n_q : p.n_kv),
      inner_tile_(kv_outside ? p.br : p.bc), tiles_(kv_outside ? p.kv_tiles() : p.q_tiles()),
      reversed_(kv_outside && p.order == KvOrder::Reverse), end_seen_(tiles_),
      walk_(kv_outside ? turned(p) : p, kv_outside ? Band{-band.high, -band.low} : band) {
  if (!kv_outside) return;
  // Seen columns are those between the first and the last any row sees.
  const std::int64_t first_col = std::max<std::int64_t>(0, band.low), end_col = std::min(p.n_kv, p.n_q + band.high);
  first_seen_ = std::clamp<std::int64_t>(first_col / p.bc, 0, tiles_);
  end_seen_ = end_col <= first_col ? first_seen_ : std::clamp<std::int64_t>((end_col + p.bc - 1) / p.bc, first_seen_, tiles_);
}

std::int64_t GroupWalk::outer_size(std::int64_t tile) const { return std::min(outer_tile_, outer_n_ - tile * outer_tile_); }
std::int64_t GroupWalk::inner_size(std::int64_t tile) const { return std::min(inner_tile_, inner_n_ - tile * inner_tile_); }
bool GroupWalk::occurs(std::int64_t tile) const { return tile >= first_seen_ && tile < end_seen_; }
std::int64_t GroupWalk::occurring_below(std::int64_t tile) const { return std::clamp(tile, first_seen_, end_seen_) - first_seen_; }

}  // namespace tilewalk
