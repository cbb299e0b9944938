#include "trace/locate.h"

#include "trace/infinities.h"

namespace tilewalk {
namespace {

// The phase that makes the quantity as the checker compares it. As it stands after a visit, that is the last one of a
// visit, or where no visit makes it (naive attention's softmax) the last on the edge of a group. As it leaves, it is
// the last of all. `masked`: one of the two scores that differ is masked; else a score comes of its product.
MadeAt made_at(const Schedule& schedule, const TracedRow& traced, bool masked) {
  const std::vector<MadeAt> all = phases_that_make(schedule, traced.quantity);
  const MadeAt* found = nullptr;
  for (const MadeAt& each : all) {
    if (traced.result) {
      if (each.made->result) found = &each;
      continue;
    }
    if (found && found->in_visit && !each.in_visit) continue;
    if (found && found->in_visit == each.in_visit && traced.quantity == Quantity::S && !masked) continue;
    if (each.made->is_fresh() || (each.made->result && each.made->is_of_itself())) continue;
    found = &each;
  }
  return found ? *found : MadeAt{};
}

// The step of a phase before the first or after the last visit of a group.
std::int64_t edge_step(const Schedule& schedule, const MadeAt& made, const Divergence& at) {
  const std::int64_t outer = at.q_tile < 0 ? at.kv_tile : at.q_tile;
  const GroupId group = {.batch = at.batch, .head = at.head, .group = outer};
  const std::int64_t first = schedule.first_step_of_group(made.section, group);
  const std::int64_t end = schedule.end_step_of_group(made.section, group);
  for (std::int64_t k = first; k < end && !schedule.step(k).in_visit(); ++k) {
    if (schedule.step(k).phase == made.phase) return k;
  }
  for (std::int64_t k = end - 1; k > first && !schedule.step(k).in_visit(); --k) {
    if (schedule.step(k).phase == made.phase) return k;
  }
  return first;
}

}  // namespace

void locate(const Schedule& schedule, Divergence& at) {
  const bool masked = at.expected && at.got && is_masked(*at.expected) != is_masked(*at.got);
  const MadeAt made = made_at(schedule, traced_row(at.quantity), masked);
  const TileRange range = at.q_tile < 0 ? TileRange{} : schedule.visited(at.q_tile);
  const bool reverse = schedule.problem().tiling.order == KvOrder::Reverse;
  const std::int64_t last_visit = range.count() == 0 ? -1 : reverse ? range.begin : range.end - 1;
  const std::int64_t kv_tile = made.in_visit && at.kv_tile < 0 ? last_visit : at.kv_tile;
  std::int64_t k = 0;
  if (made.in_visit && kv_tile >= 0) {
    const TileId tile = {.batch = at.batch, .head = at.head, .q_tile = at.q_tile, .kv_tile = kv_tile};
    k = schedule.first_step_of_visit(made.section, tile);
    const std::int64_t end = schedule.end_step_of_visit(made.section, tile);
    while (k + 1 < end && schedule.step(k).phase != made.phase) ++k;
  } else if (made.in_visit) {
    k = schedule.first_step_of_group(
        0, {.batch = at.batch, .head = at.head, .group = at.q_tile});  // never visited: what the first launch wrote
  } else {
    k = edge_step(schedule, made, at);
  }
  at.step = k;
  at.phase = schedule.step(k).phase;
}

}  // namespace tilewalk
