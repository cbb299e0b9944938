// Which plan a problem's schedule has, and what follows from a plan alone.
#include <algorithm>

#include "core/walk/sectioned_schedule.h"

namespace tilewalk {

std::vector<Resident> largest_residents(const Problem& p, const SchedulePlan& plan) {
  const std::int64_t tile_rows = std::min(p.tiling.br, p.shape.n_q), tile_cols = std::min(p.tiling.bc, p.shape.n_kv);
  std::vector<Resident> largest;
  std::int64_t most = -1;
  auto consider = [&](int section, const std::vector<Phase>& phases, std::int64_t r, std::int64_t c) {
    for (Phase phase : phases) {
      std::vector<Resident> now = plan.residents(section, phase, r, c);
      std::int64_t sum = 0;
      for (const Resident& each : now) sum += each.bytes;
      if (sum > most) most = sum, largest = std::move(now);
    }
  };
  for (std::size_t i = 0; i < plan.sections.size(); ++i) {
    const bool kv_outside = plan.sections[i].kv_outside;  // an edge step is then a KV tile's, over all rows
    const std::int64_t edge_rows = kv_outside ? p.shape.n_q : tile_rows, edge_cols = kv_outside ? tile_cols : p.shape.n_kv;
    consider(int(i), plan.sections[i].prologue, edge_rows, edge_cols);
    consider(int(i), plan.sections[i].visit, tile_rows, tile_cols);
    consider(int(i), plan.sections[i].epilogue, edge_rows, edge_cols);
  }
  return largest;
}

SchedulePlan plan_for(const Problem& p) {
  switch (p.schedule) {
    case ScheduleKind::Standard: return standard_plan(p);
    case ScheduleKind::FlashV1: return flash_v1_plan(p);
    case ScheduleKind::FlashV2: return flash_v2_plan(p);
    case ScheduleKind::FlashV3:
    case ScheduleKind::FlashV4: return flash_v3_plan(p);
    case ScheduleKind::SplitKv: return split_kv_plan(p);
    case ScheduleKind::Backward:
    case ScheduleKind::BackwardV1: return backward_plan(p);
    case ScheduleKind::BackwardStandard: return backward_standard_plan(p);
  }
  return {};
}

std::unique_ptr<const Schedule> make_schedule(const Problem& p) { return make_sectioned_schedule(p, plan_for(p)); }

Cost section_cost(const Schedule& s, int section) {
  const auto begin = [&](int at) {
    if (at == s.section_count()) return s.step_count();
    const std::int64_t last_group = s.kv_outside(at) ? s.problem().kv_tiles() - 1 : 0;  // the first walked, in reverse
    return std::min(s.first_step_of_group(at, 0, 0, 0), s.first_step_of_group(at, 0, 0, last_group));
  };
  return s.totals_before(begin(section + 1)).cost + s.totals_before(begin(section)).cost.scaled(-1);
}

std::vector<Resident> peak_residents(const Problem& p) { return largest_residents(p, plan_for(p)); }

}  // namespace tilewalk
