// tilewalk counters: totals of the run, or before a step.
#include <fmt/format.h>

#include <algorithm>

#include "app/cli/output.h"
#include "app/cli/text/compare_text.h"
#include "app/cli/text/walk_text.h"
#include "app/cli/verbs.h"
#include "app/export/counters_csv.h"
#include "app/export/lanes_trace.h"
#include "app/jobs/long_work.h"
#include "base/shown.h"
#include "base/units.h"
#include "core/schedules/registry.h"
#include "core/witness/formulas.h"
#include "pages/compare/blocks/warps_model.h"
#include "session/resources.h"
#include "view/walk/hardware_model.h"
#include "view/words/units.h"

namespace tilewalk {
namespace {

// Classes of the first `visits` visits of a Q tile. Full tiles of a row of tiles are consecutive, so only the tiles at
// both ends need a check.
void add_visits(const Schedule& schedule, std::int64_t q_tile, std::int64_t visits, VisitCounts& counts) {
  const bool reverse = schedule.problem().tiling.order == KvOrder::Reverse;
  TileRange range = schedule.visited(q_tile);
  if (visits < range.count()) reverse ? range.begin = range.end - visits : range.end = range.begin + visits;
  const std::int64_t all = range.count();
  auto full = [&](std::int64_t kv_tile) { return schedule.tile_class(q_tile, kv_tile) == TileClass::Full; };
  while (range.count() > 0 && !full(range.begin)) ++range.begin;
  while (range.count() > 0 && !full(range.end - 1)) --range.end;
  counts.full += range.count();
  counts.partial += all - range.count();
}

// Visits of the walk before a step that is `visits` visits into it; a skipped tile counts once its Q tile is done.
VisitCounts counts_after(const Schedule& schedule, std::int64_t visits) {
  const Problem& p = schedule.problem();
  const VisitCounts whole = schedule.visit_counts();
  const std::int64_t heads = p.shape.batch * p.shape.heads, each = whole.visited() / heads;
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

// The hardware's counters for the same problem, beside the model's figures.
struct Hardware {
  HardwareTraffic from;
  HardwareComparison compared;
};

Result<Hardware> hardware_for(const Schedule& schedule) {
  const Result<std::string> root = find_resource_root();
  if (!root) return root.issues();
  Result<HardwareTraffic> traffic = load_hardware_traffic(*root + "/assets/measurements/traffic_h200.csv");
  if (!traffic) return traffic.issues();
  const auto found = compare_with_hardware(*traffic, schedule.problem());
  if (found) return Hardware{std::move(*traffic), *found};
  const std::string heading = heading_text(schedule);
  std::string way_out =
      "Measured are batch 1, heads 1 or 32, tiles 64x64, no mask or causal: try --n 4096 --d 64 --mask causal";
  if (const Problem* near = nearest_measured(*traffic, schedule.problem()))
    way_out =
        fmt::format(
            "The nearest measured problem: --schedule {} --n-q {} --n-kv {} --d {} --heads {} --mask {} --dtype {} "
            "--br {} --bc {}",
            name_of(near->schedule), near->shape.n_q, near->shape.n_kv, near->shape.d, near->shape.heads,
            name_of(near->shape.mask), name_of(near->numerics.dtype), near->tiling.br, near->tiling.bc) +
        (row_of(*near).settings.splits ? fmt::format(" --splits {}", near->tiling.splits) : "");
  return Issue{"hardware", heading.substr(0, heading.find('\n')), "was not measured on " + traffic->gpu, way_out};
}

void print_hardware(const Hardware& h) {
  const HardwareModel model = build_hardware_model(h.from, h.compared);
  say("\nMeasured on {}; bytes\n", model.source);
  say("  {:24} {:>28} {:>16}  {}\n", "", "modelled", "measured", "modelled against measured");
  for (const HardwareLine& line : model.lines)
    say("  {:24} {:>28} {:>16}  {}\n", line.what, line.modelled + (line.estimate ? " (estimate)" : ""), line.measured,
        line.apart);
  say("  {}\n", model.sentence);
  for (const std::string& reason : model.reasons) say("  {}\n", reason);
}

Json json_hardware(const Hardware& h) {
  const HardwareLaunch& measured = h.compared.measured;
  return {{"gpu", h.from.gpu},
          {"driver", h.from.driver},
          {"date", h.from.date},
          {"read_bytes", measured.read_bytes},
          {"write_bytes", measured.write_bytes},
          {"l2_bytes", measured.l2_bytes},
          {"dram_read_bytes", measured.dram_read_bytes},
          {"dram_write_bytes", measured.flushed_write_bytes},
          {"dram_write_bytes_after_end", measured.flushed_write_bytes - measured.end_write_bytes},
          {"shared_bytes", measured.shared_bytes},
          {"modelled_dram_read_bytes", h.compared.dram.read_bytes},
          {"modelled_dram_write_bytes", h.compared.dram.write_bytes},
          {"modelled_dram_write_bytes_after_end", h.compared.dirty_bytes},
          {"matches", h.compared.matches()}};
}

// Files are opened before any work; each is complete or not written.
Result<bool> write_tables(const Schedule& schedule, std::int64_t at, const std::optional<std::string>& csv,
                          const std::optional<std::string>& perfetto) {
  std::vector<OutputRequest> requests;
  if (csv) requests.push_back({.field = "csv", .path = *csv, .endings = {".csv"}});
  if (perfetto) requests.push_back({.field = "perfetto", .path = *perfetto, .endings = {".json"}});
  if (csv)
    if (Issues issues = why_no_counters_csv(schedule); !issues.empty()) return issues;
  std::optional<LanesTrace> lanes;
  if (perfetto) {
    Result<LanesTrace> made = modelled_lanes_trace(schedule, at);
    if (!made) return made.issues();
    lanes = std::move(*made);
  }
  Result<std::vector<OutputFile>> files = open_outputs(requests);
  if (!files) return files.issues();
  if (csv) {
    catch_interrupts();
    Progress progress("Writing");
    const Result<bool> written = write_counters_csv(schedule, sink_of(files->front()),
                                                    [&](double fraction) { return progress.update(fraction); });
    if (!written || !*written) return written;
  }
  if (lanes)
    if (const Result<Done> written = write_lanes_trace(*lanes, sink_of(files->back())); !written)
      return written.issues();
  if (const Result<Done> kept = rename_into_place(*files); !kept) return kept.issues();
  return true;
}

constexpr int kWarps = 4;

void print_warps(const Schedule& schedule) {
  const WarpsModel model = build_warps_model(schedule, kWarps);
  const bool all_warps =
      std::none_of(model.sides.begin(), model.sides.end(), [](const WarpsSide& side) { return side.by_warpgroups; });
  say("\nOne thread block{}\n", all_warps ? fmt::format(" of {} warps", kWarps) : "");
  for (const WarpsSide& side : model.sides) {
    const std::string parts =
        all_warps ? "" : fmt::format(", {}", counted(side.parts, side.by_warpgroups ? "warpgroup" : "warp"));
    say("  {}{}{}\n", side.title, parts, side.now ? " (this schedule)" : "");
    say("    {}\n    {}; {}\n    {}\n    {}\n", side.owns, side.exchange, side.barriers, side.operands,
        side.figure + " " + side.whole_run);
    for (const std::string& why : side.barrier_reasons) say("      barrier: {}\n", why);
  }
  say("  {}\n", model.sentence);
}

Json json_warps(const Schedule& schedule) {
  Json json = {{"warps", kWarps}};
  for (const WarpsSide& side : build_warps_model(schedule, kWarps).sides) {
    Json& of = json[side.scheme == WarpScheme::SplitK ? "split_k" : "split_q"];
    of = {{"operand_read_bytes", side.totals.operands.read_bytes},
          {"exchange_read_bytes", side.totals.exchange.read_bytes},
          {"exchange_write_bytes", side.totals.exchange.write_bytes},
          {"barriers", side.totals.barriers}};
    if (side.by_warpgroups) of["warpgroups"] = side.parts;
  }
  return json;
}

}  // namespace

int counters_verb(const CommandLine& line) {
  const Result<Opening> opened = open_problem(line.problem);
  if (!opened) return refuse(opened.issues());
  const Schedule& schedule = *opened->schedule;
  std::int64_t at = schedule.step_count();
  if (line.option("at")) {
    const Result<std::int64_t> step = whole_number("at", *line.option("at"), 0, at);
    if (!step) return refuse(step.issues());
    at = *step;
  }
  std::optional<Against> against;
  if (line.option("against")) {
    Result<Against> found = set_against(schedule, at, *line.option("against"));
    if (!found) return refuse(found.issues());
    against = std::move(*found);
  }
  std::optional<Hardware> hardware;
  if (line.has("hardware")) {
    Result<Hardware> found = hardware_for(schedule);
    if (!found) return refuse(found.issues());
    hardware = std::move(*found);
  }
  const auto csv = line.option("csv"), perfetto = line.option("perfetto");
  const Result<bool> written = write_tables(schedule, at, csv, perfetto);
  if (!written) return refuse(written.issues());
  if (!*written) return interrupted_exit();
  if (!line.has("json")) {
    say("{}{} of {} steps\n\n{}", heading_text(schedule), format_count(at), format_count(schedule.step_count()),
        traffic_text(schedule, at));
    say("  SRAM: at most {} of {} at once\n", format_bytes(schedule.sram_peak_bytes()),
        format_bytes(schedule.problem().machine.sram_bytes));
    if (hardware) print_hardware(*hardware);
    if (line.has("warps")) print_warps(schedule);
    if (against) say("\n{}", against_text(*against));
    for (const auto& path : {csv, perfetto})
      if (path) say("\nwritten: {}\n", shown(*path));
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
  if (hardware) json["hardware"] = json_hardware(*hardware);
  if (line.has("warps")) json["warps"] = json_warps(schedule);
  if (against) json["against"] = json_against(*against);
  if (csv) json["csv"] = *csv;
  if (perfetto) json["perfetto"] = *perfetto;
  print_json(json);
  return kExitOk;
}

}  // namespace tilewalk
