// tilewalk counters: totals of the run, or before a step.
#include <fmt/format.h>

#include "app/output.h"
#include "app/verbs.h"
#include "app/walk_text.h"
#include "base/units.h"
#include "core/formulas.h"
#include "core/l2_model.h"
#include "session/resources.h"
#include "trace/hardware_traffic.h"

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

// What the hardware said of this very problem, beside the model's figures.
struct Hardware {
  HardwareTraffic from;
  HardwareLaunch measured;
  Traffic modelled, modelled_dram;
  std::int64_t modelled_dirty = 0;  // of modelled_dram, still in L2 when each launch ends
  std::int64_t measured_dirty() const { return measured.flushed_write_bytes - measured.end_write_bytes; }
  bool matches() const {
    return modelled.read_bytes == measured.read_bytes && modelled.write_bytes == measured.write_bytes;
  }
};

// A problem of the same schedule that was measured, as flags: the longest of one head.
std::string measured_like(const HardwareTraffic& traffic, const Problem& p) {
  const Problem* like = nullptr;
  for (const HardwareMeasurement& m : traffic.measurements) {
    const bool default_tiles = m.problem.br == 64 && m.problem.bc == 64 && m.problem.dtype == DType::Fp32;
    if (m.problem.schedule == p.schedule && m.problem.heads == 1 && m.problem.n_q == m.problem.n_kv && default_tiles &&
        (!like || like->n_q <= m.problem.n_q))
      like = &m.problem;
  }
  if (!like) return {};
  return fmt::format(": try --schedule {} --n {} --d {} --mask {}", name_of(p.schedule), like->n_q, like->d,
                     name_of(like->mask)) +
         (like->splits > 1 ? fmt::format(" --splits {}", like->splits) : std::string());
}

Result<Hardware> hardware_for(const Schedule& schedule) {
  const Result<std::string> root = find_resource_root();
  if (!root) return root.issues();
  Result<HardwareTraffic> traffic = load_hardware_traffic(*root + "/assets/measurements/traffic_h200.csv");
  if (!traffic) return traffic.issues();
  const HardwareMeasurement* found = traffic->find(schedule.problem());
  const std::string heading = heading_text(schedule);
  if (!found)
    return Issue{"hardware", heading.substr(0, heading.find('\n')), "was not measured on " + traffic->gpu,
                 "Measured are batch 1, heads 1 or 32, no mask or causal" + measured_like(*traffic, schedule.problem())};
  Hardware out;
  out.measured = found->total();
  L2Options options;
  options.cold_launches = true;
  options.count_instructions = true;
  const L2Estimate estimate = estimate_l2(schedule, options);
  out.modelled = estimate.asked_total();
  out.modelled_dram = estimate.dram_total();
  for (const L2Launch& launch : estimate.launches) out.modelled_dirty += launch.dirty_bytes;
  out.from = std::move(*traffic);
  return out;
}

void print_hardware(const Hardware& h) {
  const auto row = [](const char* what, const std::string& model, std::int64_t measured) {
    fmt::print("  {:27} {:>26} {:>18}\n", what, model, format_count(measured));
  };
  fmt::print("\nMeasured on {}, driver {}, {} by {}; bytes\n", h.from.gpu, h.from.driver, h.from.date, h.from.tool);
  fmt::print("  {:27} {:>26} {:>18}\n", "", "modelled", "measured");
  row("asked of HBM, read", format_count(h.modelled.read_bytes), h.measured.read_bytes);
  row("asked of HBM, written", format_count(h.modelled.write_bytes), h.measured.write_bytes);
  row("DRAM, read", format_count(h.modelled_dram.read_bytes) + " (estimate)", h.measured.dram_read_bytes);
  row("DRAM, written, L2 flushed", format_count(h.modelled_dram.write_bytes) + " (estimate)",
      h.measured.flushed_write_bytes);
  row("  of it after a launch's end", format_count(h.modelled_dirty) + " (estimate)", h.measured_dirty());
  row("L2", "not modelled", h.measured.l2_bytes);
  row("shared memory", "not compared", h.measured.shared_bytes);
  fmt::print("  What was asked for is {} the model's count.\n", h.matches() ? "equal to" : "not");
}

Json json_hardware(const Hardware& h) {
  return {{"gpu", h.from.gpu},
          {"driver", h.from.driver},
          {"date", h.from.date},
          {"read_bytes", h.measured.read_bytes},
          {"write_bytes", h.measured.write_bytes},
          {"l2_bytes", h.measured.l2_bytes},
          {"dram_read_bytes", h.measured.dram_read_bytes},
          {"dram_write_bytes", h.measured.flushed_write_bytes},
          {"dram_write_bytes_after_end", h.measured_dirty()},
          {"shared_bytes", h.measured.shared_bytes},
          {"modelled_dram_read_bytes", h.modelled_dram.read_bytes},
          {"modelled_dram_write_bytes", h.modelled_dram.write_bytes},
          {"modelled_dram_write_bytes_after_end", h.modelled_dirty},
          {"matches", h.matches()}};
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
  std::optional<Hardware> hardware;
  if (line.has("hardware")) {
    Result<Hardware> found = hardware_for(schedule);
    if (!found) return refuse(found.issues());
    hardware = std::move(*found);
  }
  if (!line.has("json")) {
    fmt::print("{}{} of {} steps\n\n{}", heading_text(schedule), format_count(at), format_count(schedule.step_count()),
               traffic_text(schedule, at));
    fmt::print("  SRAM: at most {} of {} at once\n", format_bytes(schedule.sram_peak_bytes()),
               format_bytes(schedule.problem().sram_bytes));
    if (hardware) print_hardware(*hardware);
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
  print_json(json);
  return kExitOk;
}

}  // namespace tilewalk
