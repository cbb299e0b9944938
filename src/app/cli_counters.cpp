// tilewalk counters: totals of the run, or before a step.
#include <fmt/format.h>

#include "app/output.h"
#include "app/verbs.h"
#include "app/walk_text.h"
#include "base/units.h"
#include "core/formulas.h"

namespace tilewalk {
namespace {

// Classes of the first `visits` visits of a Q tile. Full tiles of a row of tiles lie side by side, so only the tiles at
// both ends need a look.
void add_visits(const Schedule& schedule, std::int64_t q_tile, std::int64_t visits, VisitCounts& counts) {
  const bool reverse = schedule.problem().order == KvOrder::Reverse;
  TileRange range = schedule.visited(q_tile);
  if (visits < range.count()) reverse ? range.begin = range.end - visits : range.end = range.begin + visits;
  const std::int64_t all = range.count();
  auto full = [&](std::int64_t kv_tile) { return schedule.tile_class(q_tile, kv_tile) == TileClass::Full; };
  while (range.count() > 0 && !full(range.begin)) ++range.begin;
  while (range.count() > 0 && !full(range.end - 1)) --range.end;
  counts.full += range.count();
  counts.partial += all - range.count();
}

// What the walk has met before a step that lies `visits` visits into it; a skipped tile counts once its Q tile is over.
VisitCounts counts_after(const Schedule& schedule, std::int64_t visits) {
  const Problem& p = schedule.problem();
  const VisitCounts whole = schedule.visit_counts();
  const std::int64_t heads = p.batch * p.heads, each = whole.visited() / heads;
  const std::int64_t done = each > 0 ? visits / each : 0;
  VisitCounts counts{whole.full / heads * done, whole.partial / heads * done, whole.skipped / heads * done};
  std::int64_t left = visits - done * each;
  for (std::int64_t q_tile = 0; left > 0; ++q_tile) {
    const std::int64_t here = schedule.visited(q_tile).count();
    add_visits(schedule, q_tile, std::min(left, here), counts);
    if (left >= here) counts.skipped += p.kv_tiles() - here;
    left -= std::min(left, here);
  }
  return counts;
}

}  // namespace

int counters_verb(const CommandLine& line) {
  const Result<OpenedProblem> opened = open_problem(line.problem);
  if (!opened) return refuse(opened.issues());
  const Schedule& schedule = *opened->schedule;
  std::int64_t at = schedule.step_count();
  if (line.option("at")) {
    const Result<std::int64_t> step = whole_number("at", *line.option("at"), 0, at);
    if (!step) return refuse(step.issues());
    at = *step;
  }
  if (!line.has("json")) {
    fmt::print("{}{} of {} steps\n\n{}", heading_text(schedule), format_count(at), format_count(schedule.step_count()),
               traffic_text(schedule, at));
    fmt::print("  SRAM: at most {} of {} at once\n", format_bytes(schedule.sram_peak_bytes()),
               format_bytes(schedule.problem().sram_bytes));
    return kExitOk;
  }
  const Totals totals = schedule.totals_before(at);
  const VisitCounts counts =
      at == schedule.step_count() ? schedule.visit_counts() : counts_after(schedule, totals.visits_done);
  const Textbook book = textbook(schedule.problem());
  Json json = {{"schedule", name_of(schedule.problem().schedule)},
               {"steps", at},
               {"step_count", schedule.step_count()},
               {"tile_visits", {{"full", counts.full}, {"partial", counts.partial}, {"skipped", counts.skipped}}}};
  json.update(json_counters(totals.cost, schedule.totals_before(schedule.step_count()).cost));
  json["sram_peak_bytes"] = schedule.sram_peak_bytes();
  json["textbook"] = {{"hbm_elements", book.hbm_elements}, {"flops", book.flops}};
  print_json(json);
  return kExitOk;
}

}  // namespace tilewalk
