#include "trace/infinities.h"

#include <algorithm>

#include "core/schedules/registry.h"

namespace tilewalk {
namespace {

bool row_sees_any(const Problem& p, std::int64_t row) {
  const Band band = p.shape.band();
  return band.first_col(row) < band.end_col(row, p.shape.n_kv);
}

// True if a row has seen a visible column by the end of this visit.
bool row_saw_any(const Schedule& schedule, std::int64_t row, std::int64_t q_tile, std::int64_t kv_tile) {
  const Problem& p = schedule.problem();
  const ScheduleRow& kind = row_of(p);
  if (!runs(kind, Quantity::M)) return row_sees_any(p, row);  // the max of a whole row
  TileRange range = schedule.visited(q_tile);
  if (kind.settings.splits) {  // each split starts afresh
    const std::int64_t first = kv_tile / p.split_tiles() * p.split_tiles();
    range = {std::max(range.begin, first), std::min(range.end, first + p.split_tiles())};
  }
  const bool reverse = p.tiling.order == KvOrder::Reverse;
  const std::int64_t begin = (reverse ? kv_tile : range.begin) * p.tiling.bc;
  const std::int64_t end = std::min((reverse ? range.end : kv_tile + 1) * p.tiling.bc, p.shape.n_kv);
  const Band band = p.shape.band();
  return std::max(band.first_col(row), begin) < std::min(band.end_col(row, p.shape.n_kv), end);
}

bool infinity_in_order(const Schedule& schedule, TracedQuantity quantity, bool minus, const Divergence& at) {
  switch (quantity) {
    case TracedQuantity::S: return minus && !schedule.problem().shape.band().allows(at.row, at.col);
    case TracedQuantity::M: return minus && !row_saw_any(schedule, at.row, at.q_tile, at.kv_tile);
    case TracedQuantity::Lse: return !minus && !row_sees_any(schedule.problem(), at.row);
    default: return false;
  }
}

}  // namespace

bool may_be(const Schedule& schedule, TracedQuantity quantity, float x, const Divergence& at) {
  return std::isfinite(x) || (std::isinf(x) && infinity_in_order(schedule, quantity, x < 0, at));
}

}  // namespace tilewalk
