#include "core/walk/in_step.h"

#include <algorithm>

namespace tilewalk {
namespace {

std::int64_t measure(const Schedule& schedule, std::int64_t cursor, Pace pace) {
  const Totals totals = schedule.totals_before(cursor);
  switch (pace) {
    case Pace::Flop: return totals.cost.matmul + totals.cost.exp + totals.cost.other;
    case Pace::Byte: return totals.cost.hbm_total().bytes();
    case Pace::Tile:
    case Pace::Time: break;
  }
  return totals.visits_done;
}

}  // namespace

const char* name_of(Pace pace) {
  switch (pace) {
    case Pace::Tile: return "tile";
    case Pace::Flop: return "FLOP";
    case Pace::Byte: return "byte";
    case Pace::Time: break;
  }
  return "modelled time";
}

WalkProgress progress_at(const Schedule& schedule, std::int64_t cursor) {
  const std::int64_t end = schedule.step_count();
  WalkProgress out;
  out.cursor = cursor, out.steps = end;
  out.visits = measure(schedule, cursor, Pace::Tile), out.of_visits = measure(schedule, end, Pace::Tile);
  out.bytes = measure(schedule, cursor, Pace::Byte), out.of_bytes = measure(schedule, end, Pace::Byte);
  out.flops = measure(schedule, cursor, Pace::Flop), out.of_flops = measure(schedule, end, Pace::Flop);
  return out;
}

namespace {

// The first cursor in (0, end] with at least this much use; end where there is none.
std::int64_t first_cursor_with(const Schedule& schedule, std::int64_t wanted, Pace pace) {
  std::int64_t low = 0, high = schedule.step_count();
  while (low + 1 < high) {
    const std::int64_t middle = low + (high - low) / 2;
    (measure(schedule, middle, pace) >= wanted ? high : low) = middle;
  }
  return high;
}

std::int64_t scores_of_visit(const Schedule& schedule) {
  const Problem& p = schedule.problem();
  return std::min(p.tiling.br, p.shape.n_q) * std::min(p.tiling.bc, p.shape.n_kv);
}

// A part of a visit counts as one.
std::int64_t visits_of_as_many_scores(const Schedule& from, std::int64_t cursor, const Schedule& to) {
  const std::int64_t scores = measure(from, cursor, Pace::Tile) * scores_of_visit(from), each = scores_of_visit(to);
  return (scores + each - 1) / each;
}

// The end of the visit of `to` that matches the visits of `from`; or the end of its group, if `from` is past its own
// visits.
std::int64_t level_by_tile(const Schedule& from, std::int64_t cursor, const Schedule& to) {
  const std::int64_t wanted = visits_of_as_many_scores(from, cursor, to);
  if (wanted == 0) return 0;
  const Step step = to.step(first_cursor_with(to, wanted, Pace::Tile) - 1);
  if (!step.in_visit()) return to.step_count();  // fewer visits in all
  const bool last = step.visit + 1 == step.visits_in_group;
  if (last && !from.step(cursor - 1).in_visit()) return to.end_step_of_group(step.section, step.group_id());
  return to.end_step_of_visit(step.section, step.tile());
}

}  // namespace

std::int64_t last_cursor_within(const Schedule& schedule, std::int64_t most, Pace pace) {
  std::int64_t low = 0, high = schedule.step_count();
  while (low < high) {
    const std::int64_t middle = low + (high - low + 1) / 2;
    if (measure(schedule, middle, pace) <= most)
      low = middle;
    else
      high = middle - 1;
  }
  return low;
}

std::int64_t cursor_in_step(const Schedule& from, std::int64_t cursor, const Schedule& to, Pace pace) {
  if (cursor <= 0) return 0;
  const std::int64_t most = measure(from, cursor, pace), end = to.step_count();
  const bool by_tile = pace == Pace::Tile || pace == Pace::Time;
  if (cursor == from.step_count() &&
      measure(to, end, pace) <= (by_tile ? visits_of_as_many_scores(from, cursor, to) : most))
    return end;
  if (by_tile) return level_by_tile(from, cursor, to);
  std::int64_t low = last_cursor_within(to, most, pace);
  // Then skips steps that cost nothing by this measure: work between loads, but not loads between work.
  if (pace == Pace::Byte) return low;
  const std::int64_t used = measure(to, low, pace);
  return used == 0 ? 0 : first_cursor_with(to, used, pace);
}

}  // namespace tilewalk
