#include "view/walk/thread_block.h"

#include <fmt/format.h>

#include <algorithm>

#include "core/schedules/registry.h"
#include "view/walk/lanes_axis.h"

namespace tilewalk {
namespace {

bool by_keys(const Problem& p) { return row_of(p).walk.block == BlockKind::Head; }

}  // namespace

ThreadBlock block_at(const Schedule& schedule, std::int64_t cursor) {
  const Step step = schedule.step(std::max<std::int64_t>(0, cursor - 1));
  if (step.section == schedule.visit_section()) return {step.batch, step.head, step.group};
  const Problem& p = schedule.problem();
  if (step.section < schedule.visit_section()) return {};
  const std::int64_t groups = by_keys(p) ? p.kv_tiles() : p.q_tiles() * splits_of(p);
  return {p.shape.batch - 1, p.shape.heads - 1, groups - 1};
}

Timeline timeline_of(const Schedule& schedule, const ThreadBlock& block, std::int64_t most_visits) {
  TimelineOptions options;
  options.most_visits = most_visits;
  options.batch = block.batch, options.head = block.head, options.group = block.group;
  return build_timeline(schedule, options);
}

Timeline timeline_until(const Schedule& schedule, const ThreadBlock& block, double cycles) {
  const std::int64_t most = TimelineOptions{}.most_visits;
  std::int64_t visits = 8;
  Timeline out = timeline_of(schedule, block, visits);
  while (visits < most && out.visits > visits && complete_until(out) < cycles) {
    visits *= 2;
    out = timeline_of(schedule, block, visits);
  }
  return out;
}

Timeline timeline_at(const Schedule& schedule, std::int64_t cursor) {
  return timeline_of(schedule, block_at(schedule, cursor));
}

std::int64_t group_of(const Problem& p, const State& state) {
  const std::int64_t tiles = by_keys(p) ? p.kv_tiles() : p.q_tiles();
  const std::int64_t at = !state.started ? -1 : by_keys(p) ? state.step.kv_tile : state.step.q_tile;
  const std::int64_t tile = at >= 0 && at < tiles ? at : by_keys(p) ? 0 : tiles - 1;
  if (row_of(p).walk.block != BlockKind::Split) return tile;
  const std::int64_t kv = state.started ? std::max<std::int64_t>(0, state.step.kv_tile) : 0;
  return tile * p.tiling.splits + std::min(p.tiling.splits - 1, kv / std::max<std::int64_t>(1, p.split_tiles()));
}

std::string tile_of(const Problem& p, std::int64_t group) {
  return fmt::format("{} tile {}", by_keys(p) ? "KV" : "Q", group / splits_of(p));
}

}  // namespace tilewalk
