#include "core/walk/transfers.h"

#include "core/walk/group_walk.h"

namespace tilewalk {
namespace {

// Sums over the groups of one (batch, head): enough for any cost that is bilinear in rows and columns.
struct GroupSums {
  std::int64_t groups = 0, outer = 0;                                     // for prologue and epilogue steps
  std::int64_t visits = 0, visits_outer = 0, inner = 0, outer_inner = 0;  // for the steps of visits
  std::int64_t first_group = -1, first_visiting = -1;                     // in walk order
};

GroupSums sums_of(const GroupWalk& walk, bool has_visits) {
  GroupSums s;
  for (std::int64_t at = 0; at < walk.groups(); ++at) {
    const std::int64_t g = walk.group_at(at);
    if (!walk.occurs(g)) continue;
    const std::int64_t outer = walk.outer_size(g), visits = has_visits ? walk.visits(g) : 0;
    const std::int64_t inner = visits > 0 ? walk.inner_sum_of_first(g, visits) : 0;
    ++s.groups;
    s.outer += outer;
    s.visits += visits;
    s.visits_outer += visits * outer;
    s.inner += inner;
    s.outer_inner += outer * inner;
    if (s.first_group < 0) s.first_group = g;
    if (visits > 0 && s.first_visiting < 0) s.first_visiting = g;
  }
  return s;
}

}  // namespace

std::vector<Transfer> transfers_of(const Schedule& schedule) {
  const Problem& p = schedule.problem();
  const SchedulePlan& plan = schedule.plan();
  const std::int64_t heads = p.shape.batch * p.shape.heads;
  std::vector<Transfer> out;
  for (int section = 0; section < int(plan.sections.size()); ++section) {
    const SectionPlan& from = plan.sections[std::size_t(section)];
    const Outside outside = from.kv_outside ? Outside::KvTiles : from.splits ? Outside::Splits : Outside::QTiles;
    const GroupWalk walk(p, plan.visits_masked_tiles ? Band{} : p.shape.band(), outside, from.shares_heads);
    // Where query heads share the groups of their KV head, only the visits are walked for each query head.
    const std::int64_t edge_heads = from.shares_heads ? p.shape.batch * p.shape.kv_heads : heads;
    const GroupSums sums = sums_of(walk, !from.visit.empty());
    const auto cost = [&](Phase phase, std::int64_t outer, std::int64_t inner) {
      return from.kv_outside ? plan.cost(from.name, phase, inner, outer) : plan.cost(from.name, phase, outer, inner);
    };
    const auto add = [&](Phase phase, const Cost& whole, std::int64_t times, std::int64_t over,
                         std::int64_t first_step) {
      for (int t = 0; t < kTensorCount; ++t)
        for (const bool write : {false, true}) {
          const Traffic& moved = whole.hbm[std::size_t(t)];
          const std::int64_t bytes = (write ? moved.write_bytes : moved.read_bytes) * over;
          if (bytes > 0) out.push_back({section, phase, TensorId(t), write, bytes, times * over, first_step});
        }
    };
    const auto add_edge = [&](Phase phase, std::int64_t place) {
      if (sums.groups == 0) return;
      const std::int64_t inner = from.kv_outside ? p.shape.n_q : p.shape.n_kv;
      const Cost one = cost(phase, 0, inner), slope = cost(phase, 1, inner) + one.scaled(-1);
      const std::int64_t begin = schedule.first_step_of_group(section, {.group = sums.first_group});
      const std::int64_t end = schedule.end_step_of_group(section, {.group = sums.first_group});
      const bool epilogue = place >= std::int64_t(from.prologue.size());
      const std::int64_t edges = std::int64_t(from.prologue.size() + from.epilogue.size());
      add(phase, one.scaled(sums.groups) + slope.scaled(sums.outer), sums.groups, edge_heads,
          epilogue ? end - (edges - place) : begin + place);
    };
    std::int64_t place = 0;
    for (const Phase phase : from.prologue) add_edge(phase, place++);
    for (std::size_t f = 0; f < from.visit.size() && sums.visits > 0; ++f) {
      const Phase phase = from.visit[f];
      const Cost c00 = cost(phase, 0, 0), c10 = cost(phase, 1, 0), c01 = cost(phase, 0, 1), c11 = cost(phase, 1, 1);
      const Cost both = c11 + c10.scaled(-1) + c01.scaled(-1) + c00;
      const Cost whole = c00.scaled(sums.visits) + (c10 + c00.scaled(-1)).scaled(sums.visits_outer) +
                         (c01 + c00.scaled(-1)).scaled(sums.inner) + both.scaled(sums.outer_inner);
      add(phase, whole, sums.visits, heads,
          schedule.first_step_of_group(section, {.group = sums.first_visiting}) +
              std::int64_t(from.prologue.size() + f));
    }
    for (const Phase phase : from.epilogue) add_edge(phase, place++);
  }
  return out;
}

}  // namespace tilewalk
