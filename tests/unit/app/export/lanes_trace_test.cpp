// Checks the trace against the trace-event format: every key that Perfetto requires, and no two events of a thread at
// once.
#include "app/export/lanes_trace.h"

#include <map>
#include <nlohmann/json.hpp>

#include "core/schedules/registry.h"
#include "tests/support/catch.h"

using namespace tilewalk;
using EventJson = nlohmann::json;

namespace {

Problem with_lanes(ScheduleKind kind) {
  Problem p;
  p.schedule = kind;
  p.shape.n_q = p.shape.n_kv = 1024;
  p.shape.d = 64;
  p.tiling.br = 128;
  p.tiling.bc = 64;
  p.tiling.splits = row_of(p).settings.splits ? 2 : 1;
  p.numerics.dtype = DType::Fp16;
  p.machine.sram_bytes = 220 << 10;
  return p;
}

std::string text_of_trace(const LanesTrace& trace) {
  std::string text;
  const auto written = write_lanes_trace(trace, [&](std::span<const std::byte> bytes) -> Result<Done> {
    text.append(reinterpret_cast<const char*>(bytes.data()), bytes.size());
    return Done{};
  });
  REQUIRE(written.ok());
  return text;
}

}  // namespace

TEST_CASE("a trace is valid, its threads have names and no overlapping events, and it ends when the model does") {
  int schedules = 0;
  for (const ScheduleKind kind : all_schedules()) {
    if (!has_lanes(kind)) continue;
    CAPTURE(name_of(kind));
    ++schedules;
    const auto schedule = make_schedule(with_lanes(kind));
    const Result<LanesTrace> trace = modelled_lanes_trace(*schedule, 0);
    REQUIRE(trace.ok());
    const EventJson json = EventJson::parse(text_of_trace(*trace));
    CHECK(json["otherData"]["note"].get<std::string>().find("1 cycle is") != std::string::npos);
    std::map<std::pair<int, int>, std::vector<std::pair<std::int64_t, std::int64_t>>> threads;
    std::map<std::pair<int, int>, std::string> names;
    const auto picoseconds = [](const EventJson& us) { return std::int64_t(us.get<double>() * 1e6 + 0.5); };
    std::int64_t end = 0;
    for (const EventJson& event : json["traceEvents"]) {
      REQUIRE(event.contains("ph"));
      REQUIRE(event["pid"].is_number_integer());
      REQUIRE(event["name"].is_string());
      if (event["ph"] == "M") {
        CHECK(event["args"].is_object());
        if (event["name"] == "thread_name") names[{event["pid"], event["tid"]}] = event["args"]["name"];
        continue;
      }
      REQUIRE(event["ph"] == "X");
      REQUIRE(event["tid"].is_number_integer());
      const std::int64_t start = picoseconds(event["ts"]), length = picoseconds(event["dur"]);
      CHECK(start >= 0);
      CHECK(length >= 0);
      threads[{event["pid"], event["tid"]}].push_back({start, start + length});
      end = std::max(end, start + length);
    }
    REQUIRE_FALSE(threads.empty());
    for (auto& [thread, events] : threads) {
      CHECK_FALSE(names[thread].empty());
      std::sort(events.begin(), events.end());
      for (std::size_t i = 1; i < events.size(); ++i) CHECK(events[i].first >= events[i - 1].second);
    }
    const TraceBlock& block = trace->blocks.front();
    CHECK(std::abs(double(end) - block.lanes.simulated_cycles * 1000 / block.clock_ghz) <= 1);
  }
  CHECK(schedules >= 4);
}

TEST_CASE("a schedule without lanes says so") {
  const auto schedule = make_schedule(with_lanes(ScheduleKind::Standard));
  const Result<LanesTrace> none = modelled_lanes_trace(*schedule, 0);
  REQUIRE_FALSE(none.ok());
  CHECK(none.issues().front().field == "perfetto");
}
