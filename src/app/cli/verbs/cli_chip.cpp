// Data recorded on a GPU: race --timeline (stamps of flash_v3) and verify --fast (states of the fast kernels).
#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include "app/cli/output.h"
#include "app/cli/verbs.h"
#include "app/export/lanes_trace.h"
#include "app/streams.h"
#include "base/shown.h"
#include "measured/chip_timeline.h"
#include "measured/fast_trace.h"
#include "measured/race.h"
#include "session/resources.h"
#include "view/words/units.h"

namespace tilewalk {
namespace {

constexpr std::size_t kMostPrinted = 8;  // runs whose lanes are printed

double tflops(const ChipRun& run) {
  const double work = 4.0 * double(run.n) * double(run.n) * double(run.d) * double(run.heads * run.batch);
  return work / (run.causal ? 2 : 1) / (run.ms_plain * 1e9);
}

// The model's pace: cycles a tile visit costs once the pipeline is full.
double modelled_cycles_per_visit(const ChipRun& run) {
  const Problem p = recorded_problem(run);
  const MemoryShare memory = memory_share(p, *device_named(p.machine.device));
  GroupCycles cycles(p, memory);
  return (cycles(48) - cycles(24)) / 24;
}

Json lanes_json(const ChipRun& run) {
  Json blocks = Json::array();
  for (const ChipBlock& block : run.blocks) {
    const Timeline t = timeline_of(run, block);
    Json lanes = Json::array();
    for (std::size_t lane = 0; lane < t.lanes.size(); ++lane) {
      Json pieces = Json::array();
      for (const Segment& s : t.segments)
        if (s.lane == int(lane))
          pieces.push_back({{"doing", name_of(s.doing)},
                            {"kv_tile", s.kv_tile < 0 ? Json(nullptr) : Json(s.kv_tile)},
                            {"start", s.start},
                            {"end", s.end},
                            {"waits_for", s.doing == Doing::Waiting ? Json(reason_of(s.wait)) : Json(nullptr)}});
      lanes.push_back({{"lane", t.lanes[lane].name}, {"pieces", std::move(pieces)}});
    }
    blocks.push_back({{"block", block.block},
                      {"multiprocessor", block.sm},
                      {"clock_ghz", block.ghz},
                      {"cycles", block.cycles},
                      {"lanes", std::move(lanes)}});
  }
  return blocks;
}

Json run_json(const ChipRun& run, bool lanes) {
  const ChipPhases p = phases_of(run.blocks.front());
  const double modelled = modelled_cycles_per_visit(run);
  Json json = {{"build", run.name},
               {"d", run.d},
               {"heads", run.heads},
               {"batch", run.batch},
               {"n", run.n},
               {"causal", run.causal},
               {"dtype", "bf16"},
               {"ms", run.ms_plain},
               {"tflops", tflops(run)},
               {"ms_stamped_build_silent", run.ms_silent},
               {"clock_ghz", run.ghz_silent},
               {"ms_stamping", run.ms_traced},
               {"cycles_per_visit", run.cycles_per_visit(kChipMultiprocessors)},
               {"cycles_per_visit_modelled", modelled},
               {"phases",
                {{"visits", p.visits},
                 {"scores", p.scores},
                 {"softmax", p.softmax},
                 {"correct", p.correct},
                 {"wait_output", p.wait_output},
                 {"wait_turn", p.turn},
                 {"wait_tiles", p.tiles},
                 {"period", p.period}}}};
  if (lanes) json["blocks"] = lanes_json(run);
  return json;
}

// Every stamped thread block of the runs.
LanesTrace trace_of(const std::vector<const ChipRun*>& runs, const std::string& card, const std::string& date) {
  LanesTrace out{"flash_v3 on " + card,
                 "Measured on " + date.substr(0, 10) +
                     ": stamps by the multiprocessors' own clocks. A cycle is one of the thread block's own clock.",
                 {}};
  for (const ChipRun* run : runs)
    for (const ChipBlock& block : run->blocks)
      out.blocks.push_back({fmt::format("{}, d {}, N {}, {}, thread block {}", run->name, run->d, run->n,
                                        run->causal ? "causal" : "no mask", block.block),
                            timeline_of(*run, block), block.ghz});
  return out;
}

Result<Done> write_trace(const LanesTrace& trace, const std::string& path) {
  Result<OutputFile> file = OutputFile::open({.field = "perfetto", .path = path, .endings = {".json"}});
  if (!file) return file.issues();
  if (const Result<Done> written = write_lanes_trace(trace, sink_of(*file)); !written) return written;
  return rename_into_place(std::span(&*file, 1));
}

void print_lanes(const ChipRun& run) {
  const ChipBlock& block = run.blocks.front();
  const Timeline t = timeline_of(run, block);
  say("\nThe first tile visits of thread block {}, multiprocessor {}, cycles since its first stamp:\n", block.block,
      block.sm);
  std::vector<const Segment*> order;
  for (const Segment& s : t.segments)
    if (s.end - s.start >= 1) order.push_back(&s);
  std::stable_sort(order.begin(), order.end(), [](auto* a, auto* b) { return a->start < b->start; });
  std::vector<std::vector<std::string>> rows;
  for (std::size_t i = 0; i < order.size() && i < 60; ++i) {
    const Segment& s = *order[i];
    std::string what = name_of(s.doing);
    if (s.kv_tile >= 0) what += " " + std::to_string(s.kv_tile);
    if (s.doing == Doing::Waiting && s.wait != WaitFor::Nothing) what += std::string(" for ") + reason_of(s.wait);
    rows.push_back({cycles_text(s.start), cycles_text(s.end), t.lanes[std::size_t(s.lane)].name, what});
  }
  for (const auto& row : rows) say("  {:>9} to {:>9}  {:<11} {}\n", row[0], row[1], row[2], row[3]);
}

}  // namespace

int chip_timeline(const CommandLine& line) {
  const Result<std::string> root = find_resource_root();
  if (!root) return refuse(root.issues());
  const Result<ChipTimelines> file = load_chip_timelines(*root + "/" + kChipTimelineFile);
  if (!file) return refuse(file.issues());
  const std::string causal = line.option("causal").value_or("both");
  if (causal != "on" && causal != "off" && causal != "both")
    return refuse({Issue{"causal", causal, "must be on, off or both", ""}});
  std::vector<const ChipRun*> runs;
  for (const ChipRun& run : file->runs) {
    if (line.option("d") && *line.option("d") != std::to_string(run.d)) continue;
    if (line.option("n") && *line.option("n") != std::to_string(run.n)) continue;
    if (causal != "both" && run.causal != (causal == "on")) continue;
    if (!run.blocks.empty()) runs.push_back(&run);
  }
  if (runs.empty())
    return refuse(
        {Issue{"race --timeline", "", "was recorded for --d 64 and 128, --n 2048 and 8192", "Take one of these"}});
  const auto word = [&](const char* key) {
    const auto at = file->provenance.find(key);
    return at == file->provenance.end() ? std::string() : at->second;
  };
  const std::string card = word(kCardKey), date = word("date");
  const bool lanes = runs.size() <= kMostPrinted;
  const std::optional<std::string> perfetto = line.option("perfetto");
  if (perfetto)
    if (const Result<Done> written = write_trace(trace_of(runs, card, date), *perfetto); !written)
      return refuse(written.issues());
  if (line.has("json")) {
    Json json = {{"against", "recorded"}, {"kernel", word_of(Contender::FlashV3)}, {"machine", card}, {"date", date}};
    json["runs"] = Json::array();
    for (const ChipRun* run : runs) json["runs"].push_back(run_json(*run, lanes));
    if (perfetto) json["perfetto"] = *perfetto;
    print_json(json);
    return kExitOk;
  }
  say("flash_v3 on {}, {}: stamped by the multiprocessors' own clocks. Median cycles of a consumer warpgroup's tile\n"
      "visit (64 rows x 128 keys); \"a visit\" is a whole Q tile's, from the run that stamped nothing, \"model\" is "
      "the\n"
      "modelled timeline's for the same tiles. GHz is the clock under this load: the GPU lowers it to hold its "
      "power.\n",
      card, date.substr(0, 10));
  say("  {:>3} {:<6} {:>5} {:<35} {:>7} {:>5} {:>7} {:>6} {:>5} {:>7} {:>7} {:>6} {:>6} {:>6}\n", "d", "mask", "N",
      "build", "TFLOP/s", "GHz", "a visit", "model", "QKᵀ", "softmax", "correct", "wait O", "turn", "tiles");
  for (const ChipRun* run : runs) {
    const ChipPhases p = phases_of(run->blocks.front());
    say("  {:>3} {:<6} {:>5} {:<35} {:>7.0f} {:>5.2f} {:>7.0f} {:>6.0f} {:>5.0f} {:>7.0f} {:>7.0f} {:>6.0f} {:>6.0f} "
        "{:>6.0f}\n",
        run->d, run->causal ? "causal" : "none", run->n, run->name, tflops(*run), run->ghz_silent,
        run->cycles_per_visit(kChipMultiprocessors), modelled_cycles_per_visit(*run), p.scores, p.softmax, p.correct,
        p.wait_output, p.turn, p.tiles);
  }
  if (lanes) print_lanes(*runs.front());
  if (perfetto) say("\nwritten: {}\n", shown(*perfetto));
  return kExitOk;
}

int verify_fast(const CommandLine& line) {
  const Result<std::string> root = find_resource_root();
  if (!root) return refuse(root.issues());
  const std::vector<std::string> paths = fast_trace_paths(*root + "/assets/fast_traces");
  if (paths.empty()) {
    complain("there is no recorded state of a fast kernel in " + *root + "/assets/fast_traces.");
    return kExitNoDevice;
  }
  Json json = {{"against", "float64"}, {"problems", Json::array()}};
  bool all_hold = true;
  for (const std::string& path : paths) {
    const Result<FastTrace> trace = load_fast_trace(path);
    if (!trace) return refuse(trace.issues());
    const FastTraceReport report = check_fast_trace(*trace);
    all_hold &= report.verdict == Verdict::WithinRule;
    if (!line.has("json")) {
      say("{:<11} {} {} · N {} x {} · d {} · {} · {}\n      {}\n", name_of(report.verdict), trace->kernel,
          trace->variant, trace->n_q, trace->n_kv, trace->d, trace->bf16 ? "bf16" : "fp16",
          trace->gpu.substr(0, trace->gpu.find(',')), sentence_of(report));
      continue;
    }
    Json first = nullptr;
    if (report.first)
      first = {{"head", report.first->head},
               {"q_tile", report.first->q_tile},
               {"kv_tile", report.first->kv_tile},
               {"row", report.first->row},
               {"quantity", report.first->quantity},
               {"error", json_number(report.first->error)},
               {"allowed", json_number(report.first->allowed)}};
    json["problems"].push_back({{"kernel", trace->kernel},
                                {"variant", trace->variant},
                                {"gpu", trace->gpu},
                                {"date", trace->date},
                                {"n_q", trace->n_q},
                                {"n_kv", trace->n_kv},
                                {"d", trace->d},
                                {"tile_visits", report.visits},
                                {"values", report.values},
                                {"differing", report.outside},
                                {"largest_share_of_allowed", json_number(report.largest_share)},
                                {"verdict", name_of(report.verdict)},
                                {"first_divergence", first}});
  }
  if (line.has("json")) print_json(json);
  return all_hold ? kExitOk : kExitDivergence;
}

}  // namespace tilewalk
