// tilewalk predict --against-recorded: the model beside every time recorded on a card, with groups of their own for
// points sampled after it was fixed.
#include <fmt/format.h>

#include "app/cli/predict/predict_parts.h"
#include "session/resources.h"
#include "view/words/predict_words.h"

namespace tilewalk {
namespace {

using Lines = std::vector<std::vector<std::string>>;

Json spread_json(const Spread& s) {
  return {{"points", s.points}, {"median_error", s.median}, {"worst_error", s.worst}};
}

Json summary_json(const ErrorTable& table) {
  Json out = Json::object();
  for (const Contender who : kCheckedMethods) out[word_of(who)] = spread_json(table.of(who));
  for (const auto& [who, over] : kCheckedPairs)
    out[fmt::format("{} over {}", word_of(who), word_of(over))] = spread_json(table.of_speed_up(who, over));
  out["by_processor"] = spread_json(table.by_processor());
  out["speed_ups_by_processor"] = spread_json(table.speed_ups_by_processor());
  return out;
}

Json speed_up_json(const SpeedUpError& s) {
  return {{"contender", word_of(s.who)},
          {"over", word_of(s.over)},
          {"n", s.call.n},
          {"d", s.call.d},
          {"heads", s.call.heads},
          {"batch", s.call.batch},
          {"causal", s.call.causal},
          {"predicted", s.predicted},
          {"recorded", s.recorded},
          {"error", s.error()},
          {"by_processor", s.by_processor},
          {"drawn", s.sample.empty() ? Json(nullptr) : Json(s.sample)}};
}

// Queued calls: chosen and sampled, long and short.
struct Queued {
  std::string title, word;
  ErrorTable points;
};

std::vector<Queued> queued_groups(const ErrorTable& table) {
  std::vector<Queued> out;
  const ErrorTable all = table.queued(true);
  std::vector<std::string> samples = all.samples();
  samples.insert(samples.begin(), "");
  for (const std::string& sample : samples)
    for (const bool are_long : {true, false}) {
      const char* const range = are_long ? "N from 1,024 and 30 µs or longer" : "shorter rows or calls";
      out.push_back({sample.empty() ? fmt::format("Present builds, queued, {}:", range)
                                    : fmt::format("Present builds, queued, sampled at random ({}), {}:", sample, range),
                     are_long ? "long" : "short", all.of_sample(sample).long_calls(are_long)});
    }
  return out;
}

void print_json_of(const ErrorTable& table, const DeviceModel& device) {
  Json out = {{"device", device_json(device, device.name)}, {"ceilings", ceilings_json(device)}};
  out["rows"] = Json::array(), out["speed_ups"] = Json::array();
  for (const PredictionRow& row : table.rows) {
    out["rows"].push_back(row_json({row}, row, basis_text(row.predicted, device)));
    out["rows"].back()["drawn"] = row.sample.empty() ? Json(nullptr) : Json(row.sample);
    out["rows"].back()["queued"] = row.queued;
  }
  for (const SpeedUpError& s : table.speed_ups) out["speed_ups"].push_back(speed_up_json(s));
  out["summary"] = summary_json(table.queued(false).of_sample(""));
  out["drawn"] = Json::array();
  for (const std::string& sample : table.samples())
    if (const ErrorTable points = table.of_sample(sample).queued(false); !points.rows.empty())
      out["drawn"].push_back({{"drawn", sample}, {"summary", summary_json(points)}});
  out["queued"] = Json::array();
  for (const Queued& group : queued_groups(table))
    if (!group.points.rows.empty())
      out["queued"].push_back(
          {{"calls", group.word},
           {"drawn", group.points.rows.front().sample.empty() ? Json(nullptr) : Json(group.points.rows.front().sample)},
           {"summary", summary_json(group.points)}});
  print_json(out);
}

void print_rows(const ErrorTable& table) {
  Lines lines;
  for (const PredictionRow& row : table.rows)
    lines.push_back({row.predicted.method->title, call_title(row.predicted.call), or_dash(row.predicted.pencil_ms),
                     ms_text(*row.compared_ms()), ms_text(*row.recorded_ms),
                     error_text(*row.error()) + (row.by_processor() ? " p" : "")});
  say("{}\n", table_text({"", "call", "on paper", "predicted", "recorded", "error"}, lines, "  "));
}

void print_summary(const ErrorTable& table, bool with_pencil) {
  Lines sums;
  const auto sum = [&](const std::string& title, const Spread& s) {
    if (s.points == 0) return;
    sums.push_back({title, std::to_string(s.points), fmt::format("{:.0f} %", s.median * 100),
                    fmt::format("{:.0f} %", s.worst * 100)});
  };
  for (const Contender who : kCheckedMethods) sum(fmt::format("{}, time", title_of(who)), table.of(who));
  for (const auto& [who, over] : kCheckedPairs)
    sum(fmt::format("{} over {}, speed-up", title_of(who), word_of(over)), table.of_speed_up(who, over));
  if (with_pencil)
    for (const Contender who : {Contender::Naive, Contender::FlashV2, Contender::FlashV3})
      sum(fmt::format("{}, time on paper", title_of(who)), table.by_pencil(who));
  sum("p: set by the processor, time", table.by_processor());
  sum("p: set by the processor, speed-up", table.speed_ups_by_processor());
  say("{}\n", table_text({"", "points", "median error", "worst"}, sums, "  "));
}

void print_text_of(const ErrorTable& table, const DeviceModel& device) {
  say("{}: the model of time beside what was recorded\n", device.title);
  const ErrorTable races = table.queued(false).of_sample("");
  print_rows(races);
  print_summary(races, true);
  for (const std::string& sample : table.samples()) {
    const ErrorTable points = table.of_sample(sample).queued(false);
    if (points.rows.empty()) continue;
    say("Sampled after the model was fixed: {}\n", sample);
    print_rows(points);
    print_summary(points, false);
  }
  for (const Queued& group : queued_groups(table)) {
    if (group.points.rows.empty()) continue;
    say("{}\n", group.title);
    print_rows(group.points);
    print_summary(group.points, false);
  }
  if (table.by_processor().points == 0) return;
  say("p: so little work that the processor's launches may set the time, {:.1f} times as long as here on another host\n"
      "of the same GPU (launches_h200_2026-11-23.csv). Such points are in their own two lines and in no other.\n",
      kSlowerProcessor);
}

}  // namespace

int predict_against_recorded(const CommandLine& line) {
  const Result<std::string> root = find_resource_root();
  if (!root) return refuse(root.issues());
  const std::string asked = line.option("device").value_or(kRecordedOn);
  const std::optional<DeviceModel> known = device_named(asked);
  const std::string name = known ? known->name : asked;
  if (!was_raced(name))
    return refuse(
        {Issue{"device", name, "has no recorded race", fmt::format("Take {}", fmt::join(raced_devices(), " or "))}});
  const Result<RaceTimes> times = load_race_times(*root, name);
  if (!times) return refuse(times.issues());
  const DeviceModel& device = device_of(times->device);
  const Result<std::vector<QueuedCall>> calls = load_queued_calls(*root, name);
  if (!calls) return refuse(calls.issues());
  const ErrorTable table = prediction_errors(*times, device, *calls);
  line.has("json") ? print_json_of(table, device) : print_text_of(table, device);
  return kExitOk;
}

}  // namespace tilewalk
