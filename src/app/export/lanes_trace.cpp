#include "app/export/lanes_trace.h"

#include <fmt/format.h>

#include <cmath>
#include <nlohmann/json.hpp>

#include "app/export/text_out.h"
#include "base/units.h"
#include "core/schedules/registry.h"
#include "view/walk/thread_block.h"
#include "view/words/units.h"

namespace tilewalk {
namespace {

using Json = nlohmann::ordered_json;

// Whole picoseconds, so that events that touch in cycles neither overlap nor leave a gap.
std::int64_t picoseconds(double cycles, double clock_ghz) { return std::llround(cycles * 1000 / clock_ghz); }

std::string microseconds(std::int64_t picoseconds) {
  return fmt::format("{}.{:06}", picoseconds / 1'000'000, picoseconds % 1'000'000);
}

int thread_of(const Segment& s) { return s.lane * 2 + s.row + 1; }

std::string event_name(const Segment& s) {
  if (s.doing == Doing::Waiting) return std::string("waits for ") + reason_of(s.wait);
  return s.kv_tile < 0 ? name_of(s.doing) : fmt::format("{} {}", name_of(s.doing), s.kv_tile);
}

std::string json_text(const Json& json) { return json.dump(-1, ' ', false, Json::error_handler_t::replace); }

std::string named(const char* what, int process, int thread, const Json& args) {
  Json event = {{"ph", "M"}, {"name", what}, {"pid", process}};
  if (thread > 0) event["tid"] = thread;
  event["args"] = args;
  return json_text(event);
}

std::string event_text(const Segment& s, int process, double clock_ghz) {
  const std::int64_t start = picoseconds(s.start, clock_ghz), end = picoseconds(s.end, clock_ghz);
  Json args = {{"start_cycle", s.start}, {"cycles", s.end - s.start}};
  if (s.q_tile >= 0) args["q_tile"] = s.q_tile;
  if (s.kv_tile >= 0) args["kv_tile"] = s.kv_tile;
  if (s.half >= 0) args["part_of_rows"] = s.half;
  return fmt::format(R"({{"ph":"X","name":{},"cat":{},"pid":{},"tid":{},"ts":{},"dur":{},"args":{}}})",
                     json_text(event_name(s)), json_text(name_of(s.doing)), process, thread_of(s), microseconds(start),
                     microseconds(end - start), json_text(args));
}

}  // namespace

Result<Done> write_lanes_trace(const LanesTrace& trace, const ByteSink& sink) {
  TextOut out(sink);
  const Json other = {{"title", trace.title}, {"note", trace.note}, {"made_by", "Tilewalk"}};
  out.put(fmt::format("{{\"displayTimeUnit\":\"ns\",\"otherData\":{},\n\"traceEvents\":[\n", json_text(other)));
  const char* between = "";
  const auto put = [&](const std::string& event) {
    out.put(between + event);
    between = ",\n";
  };
  for (std::size_t b = 0; b < trace.blocks.size(); ++b) {
    const TraceBlock& block = trace.blocks[b];
    const int process = int(b) + 1;
    put(named("process_name", process, 0, {{"name", block.name}}));
    for (std::size_t lane = 0; lane < block.lanes.lanes.size(); ++lane) {
      const TimelineLane& about = block.lanes.lanes[lane];
      for (int row = 0; row <= int(about.two_rows); ++row) {
        const int thread = int(lane) * 2 + row + 1;
        put(named("thread_name", process, thread, {{"name", about.name + (row ? ", products" : "")}}));
        put(named("thread_sort_index", process, thread, {{"sort_index", thread}}));
      }
    }
    for (const Segment& segment : block.lanes.segments) put(event_text(segment, process, block.clock_ghz));
  }
  out.put("\n]}\n");
  return out.finish();
}

Result<LanesTrace> modelled_lanes_trace(const Schedule& schedule, std::int64_t cursor) {
  const Problem& p = schedule.problem();
  if (!has_lanes(p.schedule))
    return Issue{"perfetto", name_of(p.schedule), "has no lanes: its launches run one after the other",
                 "Try --schedule flash_v3"};
  const DeviceModel& device = device_of(p.machine);
  Timeline lanes = timeline_at(schedule, cursor);
  if (lanes.deadlock) return Issue{"stages", std::to_string(p.tiling.stages), "would deadlock", ""};
  const ThreadBlock block = block_at(schedule, cursor);
  std::string note = fmt::format(
      "Modelled, not measured. 1 cycle is {:.4f} ns: the {}'s clock of {} GHz. One thread block of the {} thread "
      "blocks.",
      1 / device.clock_ghz, device.title, device.clock_ghz, format_count(thread_blocks(p)));
  if (lanes.simulated_visits < lanes.visits)
    note += fmt::format(" The first {} of {} tile visits; all of them take {} cycles.",
                        format_count(lanes.simulated_visits), format_count(lanes.visits), cycles_text(lanes.cycles));
  LanesTrace out{fmt::format("{}, {}", title_of(p.schedule), problem_title(p)), note, {}};
  const Step first = schedule.step(schedule.first_step_of_group(
      schedule.visit_section(), {.batch = block.batch, .head = block.head, .group = block.group}));
  const bool keys = schedule.kv_outside(schedule.visit_section());
  std::string name = fmt::format("{}, batch {}, head {}, {} tile {}", title_of(p.schedule), block.batch, block.head,
                                 keys ? "KV" : "Q", keys ? first.kv_tile : first.q_tile);
  if (p.tiling.splits > 1) name += fmt::format(", split {} of {}", first.split + 1, p.tiling.splits);
  out.blocks.push_back({name, std::move(lanes), device.clock_ghz});
  return out;
}

}  // namespace tilewalk
