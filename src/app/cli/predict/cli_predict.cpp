// tilewalk predict: what attention will take on a card, by whom, and what was recorded; and the model held against all
// that was recorded.
#include <fmt/format.h>

#include "app/cli/output.h"
#include "app/cli/verbs.h"
#include "measured/held_against.h"
#include "session/resources.h"
#include "view/predict/predict_words.h"

namespace tilewalk {
namespace {

constexpr std::size_t kMostCalls = 4096;

Result<DeviceModel> device_asked(const CommandLine& line, bool& own) {
  const std::string name = line.option("device").value_or("h200");
  const std::optional<DeviceModel> like = device_named(name);
  Issues issues;
  if (!like) issues.push_back({"device", name, "is not in the device table", "Try one of " + device_names()});
  const auto rate = [&](const char* field) -> std::optional<double> {
    const auto text = line.option(field);
    if (!text) return std::nullopt;
    const Result<double> value = card_rate(field, *text);
    if (value) return *value;
    issues.insert(issues.end(), value.issues().begin(), value.issues().end());
    return std::nullopt;
  };
  const auto bandwidth = rate("bandwidth"), peak = rate("peak");
  if (!issues.empty()) return issues;
  own = bandwidth || peak;
  return own_card(*like, bandwidth, peak);
}

Result<std::vector<AttentionCall>> calls_asked(const CommandLine& line) {
  Issues issues;
  const auto list = [&](const char* field, std::vector<std::int64_t> otherwise) {
    if (!line.option(field)) return otherwise;
    auto found = whole_numbers(field, *line.option(field), 1, std::int64_t(1) << 24);
    if (found) return *found;
    issues.insert(issues.end(), found.issues().begin(), found.issues().end());
    return otherwise;
  };
  const std::vector<std::int64_t> n = list("n", {1024, 2048, 4096, 8192, 16384}), d = list("d", {64}),
                                  heads = list("heads", {32}), batch = list("batch", {1});
  AttentionCall call;
  if (const auto text = line.option("kv-heads")) {
    const Result<std::int64_t> number = whole_number("kv-heads", *text, 1, std::int64_t(1) << 24);
    if (number)
      call.kv_heads = *number;
    else
      issues.insert(issues.end(), number.issues().begin(), number.issues().end());
  }
  const std::string mask = line.option("mask").value_or("none"), dtype = line.option("dtype").value_or("bf16");
  if (mask != "none" && mask != "causal")
    issues.push_back({"mask", mask, "is not one that can be predicted", "none or causal"});
  call.causal = mask == "causal";
  if (dtype != "bf16" && dtype != "fp16" && dtype != "fp32")
    issues.push_back({"dtype", dtype, "is not a type that can be predicted", "bf16, fp16 or fp32"});
  call.dtype = dtype == "fp32" ? DType::Fp32 : dtype == "fp16" ? DType::Fp16 : DType::Bf16;
  if (!issues.empty()) return issues;
  if (n.size() * d.size() * heads.size() * batch.size() > kMostCalls)
    return Issue{"n", line.option("n").value_or("of itself"),
                 "makes more than " + std::to_string(kMostCalls) + " calls with the other lists", "Give fewer at once"};
  std::vector<AttentionCall> out;
  for (const std::int64_t size : d)
    for (const std::int64_t head_count : heads)
      for (const std::int64_t batch_size : batch)
        for (const std::int64_t length : n) {
          call.n = length, call.d = size, call.heads = head_count, call.batch = batch_size;
          if (Issues why = why_no_call(call); !why.empty()) return why;
          out.push_back(call);
        }
  return out;
}

Json row_json(const std::vector<HeldRow>& rows, const HeldRow& row) {
  const Prediction& p = row.predicted;
  const bool modelled = p.there;
  const auto figure = [&](double value) { return modelled ? Json(value) : Json(nullptr); };
  Json out = {{"contender", p.method->id},
              {"n", p.call.n},
              {"d", p.call.d},
              {"heads", p.call.heads},
              {"kv_heads", p.call.kv_heads > 0 ? p.call.kv_heads : p.call.heads},
              {"batch", p.call.batch},
              {"causal", p.call.causal},
              {"dtype", name_of(p.call.dtype)},
              {"flops", p.flops}};
  out["hbm_bytes"] = figure(p.hbm_bytes);
  out["dram_bytes"] = figure(p.dram_bytes);
  out["extra_bytes"] = figure(p.extra_bytes);
  out["intensity"] = figure(p.intensity());
  out["floor_bytes_ms"] = figure(p.floor_bytes_ms);
  out["floor_flops_ms"] = figure(p.floor_flops_ms);
  out["floor_exp_ms"] = figure(p.floor_exp_ms);
  out["roofline_ms"] = figure(p.roofline_ms());
  out["binds"] = modelled ? Json(name_of(p.binds())) : Json(nullptr);
  out["paper_ms"] = or_null(p.paper_ms);
  out["predicted_ms"] = or_null(p.predicted_ms);
  out["recorded_ms"] = or_null(row.recorded_ms);
  out["error"] = or_null(row.error());
  out["vs_eager"] = or_null(times_as_fast(rows, row, "eager"));
  out["vs_naive"] = or_null(times_as_fast(rows, row, "naive"));
  out["note"] = p.note.empty() ? Json(nullptr) : Json(p.note);
  if (!p.operations.empty()) {
    out["operations"] = Json::array();
    for (const Operation& op : p.operations)
      out["operations"].push_back(
          {{"line", op.line}, {"bytes", op.bytes}, {"dram_bytes", op.dram_bytes}, {"ms", op.seconds * 1e3}});
  }
  return out;
}

Json device_json(const DeviceModel& device, bool own) {
  return {{"name", own ? "own" : device.name}, {"title", device.title}, {"sms", device.sms}};
}

Json ceilings_json(const DeviceModel& device) {
  const Ceilings roof = ceilings_of(device);
  return {{"bandwidth_gb_per_s", roof.bytes_per_s / 1e9},
          {"product_tflops", roof.flop_per_s / 1e12},
          {"mma_sync_tflops", roof.mma_sync_flop_per_s / 1e12},
          {"exp_per_s", roof.exp_per_s},
          {"source", roof.source}};
}

std::string or_dash(const std::optional<double>& ms) { return ms ? ms_text(*ms) : "–"; }

void print_eager(const std::vector<HeldRow>& rows) {
  const HeldRow* const eager = row_of(rows, "eager");
  if (!eager || !eager->predicted.there) return;
  std::vector<std::vector<std::string>> lines;
  for (const OperationLine& line : lines_of(eager->predicted)) lines.push_back({line.line, line.bytes, line.ms});
  fmt::print("\n  eager, as people write it in PyTorch\n");
  fmt::print("{}", table_text({"", "bytes", "takes"}, lines, "  "));
  fmt::print("  {}\n", trips_sentence(eager->predicted, rows));
}

void print_call(const std::vector<HeldRow>& rows, const DeviceModel& device, bool alone) {
  fmt::print("{}\n", call_title(rows.front().predicted.call));
  std::vector<std::vector<std::string>> lines;
  for (const HeldRow& row : rows) {
    const Prediction& p = row.predicted;
    const auto faster = times_as_fast(rows, row, "naive");
    const auto floor = [&](double ms) { return p.there ? ms_text(ms) : std::string("–"); };
    lines.push_back({p.method->title, p.there ? big_bytes(p.dram_bytes) : "–", floor(p.floor_bytes_ms),
                     floor(p.floor_flops_ms), floor(p.floor_exp_ms), or_dash(p.paper_ms), or_dash(p.predicted_ms),
                     or_dash(row.recorded_ms), row.error() ? error_text(*row.error()) : "–",
                     faster ? times_text_of(*faster) : "–"});
  }
  fmt::print("{}", table_text({"", "DRAM", "by bytes", "by products", "by exps", "on paper", "predicted", "recorded",
                               "error", "vs naive"},
                              lines, "  "));
  for (const HeldRow& row : rows) {
    const Prediction& p = row.predicted;
    if (!p.there && p.method->modelled()) fmt::print("  {}: {}.\n", p.method->title, p.note);
  }
  if (const std::string win = win_sentence(rows); !win.empty()) fmt::print("  {}\n", win);
  if (const HeldRow* const two = row_of(rows, "flash_v2"); two && two->predicted.there)
    fmt::print("  {}\n", roof_sentence(*two, device));
  if (alone) print_eager(rows);
  fmt::print("\n");
}

int against_recorded(const CommandLine& line) {
  const Result<std::string> root = find_resource_root();
  if (!root) return refuse(root.issues());
  const std::string name = line.option("device").value_or(kRecordedOn);
  if (!was_raced(name))
    return refuse(
        {Issue{"device", name, "has no recorded race", fmt::format("Take {}", fmt::join(kRacedDevices, " or "))}});
  const Result<RaceTimes> times = load_race_times(*root, name);
  if (!times) return refuse(times.issues());
  const DeviceModel device = *device_named(times->device);
  const HeldTable table = hold_against(*times, device);
  if (line.has("json")) {
    Json out = {{"device", device_json(device, false)}, {"ceilings", ceilings_json(device)}};
    out["rows"] = Json::array();
    for (const HeldRow& row : table.rows) out["rows"].push_back(row_json({row}, row));
    out["speed_ups"] = Json::array();
    for (const HeldSpeedUp& s : table.speed_ups)
      out["speed_ups"].push_back({{"contender", s.rung},
                                  {"over", s.over},
                                  {"n", s.call.n},
                                  {"d", s.call.d},
                                  {"heads", s.call.heads},
                                  {"batch", s.call.batch},
                                  {"causal", s.call.causal},
                                  {"predicted", s.predicted},
                                  {"recorded", s.recorded},
                                  {"error", s.error()}});
    const auto spread = [](const Spread& s) {
      return Json{{"points", s.points}, {"median_error", s.median}, {"worst_error", s.worst}};
    };
    for (const char* rung : kHeldMethods) out["summary"][rung] = spread(table.of(rung));
    for (const auto& [rung, over] : kHeldPairs)
      out["summary"][fmt::format("{} over {}", rung, over)] = spread(table.of_speed_up(rung, over));
    print_json(out);
    return kExitOk;
  }
  std::vector<std::vector<std::string>> lines;
  for (const HeldRow& row : table.rows)
    lines.push_back({row.predicted.method->title, call_title(row.predicted.call), or_dash(row.predicted.paper_ms),
                     ms_text(*row.predicted.predicted_ms), ms_text(*row.recorded_ms), error_text(*row.error())});
  fmt::print("{}: the model of time beside what was recorded\n", device.title);
  fmt::print("{}\n", table_text({"", "call", "on paper", "predicted", "recorded", "error"}, lines, "  "));
  std::vector<std::vector<std::string>> sums;
  const auto sum = [&](const std::string& title, const Spread& s) {
    if (s.points == 0) return;
    sums.push_back({title, std::to_string(s.points), fmt::format("{:.0f} %", s.median * 100),
                    fmt::format("{:.0f} %", s.worst * 100)});
  };
  for (const char* rung : kHeldMethods) sum(fmt::format("{}, time", method_named(rung)->title), table.of(rung));
  for (const auto& [rung, over] : kHeldPairs)
    sum(fmt::format("{} over {}, speed-up", method_named(rung)->title, over), table.of_speed_up(rung, over));
  for (const char* rung : {"naive", "flash_v2", "flash_v3"})
    sum(fmt::format("{}, time on paper", method_named(rung)->title), table.on_paper(rung));
  fmt::print("{}", table_text({"", "points", "median error", "worst"}, sums, "  "));
  return kExitOk;
}

}  // namespace

int predict_verb(const CommandLine& line) {
  if (line.has("against-recorded")) return against_recorded(line);
  bool own = false;
  const Result<DeviceModel> device = device_asked(line, own);
  const Result<std::vector<AttentionCall>> calls = calls_asked(line);
  Issues issues;
  if (!device) issues = device.issues();
  if (!calls) issues.insert(issues.end(), calls.issues().begin(), calls.issues().end());
  if (!issues.empty()) return refuse(issues);
  std::optional<RaceTimes> times;
  if (const Result<std::string> root = find_resource_root(); root && !own && was_raced(device->name)) {
    Result<RaceTimes> found = load_race_times(*root, device->name);
    if (!found) return refuse(found.issues());
    times = std::move(*found);
  }
  Json out = {{"device", device_json(*device, own)}, {"ceilings", ceilings_json(*device)}};
  out["rows"] = Json::array();
  const Ceilings roof = ceilings_of(*device);
  if (!line.has("json"))
    fmt::print("On {}. Roofs: {:.2f} TB/s, {:.0f} TFLOP/s ({:.0f} by mma.sync).\n\n", roof.source,
               roof.bytes_per_s / 1e12, roof.flop_per_s / 1e12, roof.mma_sync_flop_per_s / 1e12);
  for (const AttentionCall& call : *calls) {
    const std::vector<HeldRow> rows = held_rows(call, *device, times ? &*times : nullptr);
    if (!line.has("json"))
      print_call(rows, *device, calls->size() == 1);
    else
      for (const HeldRow& row : rows) out["rows"].push_back(row_json(rows, row));
  }
  if (line.has("json")) print_json(out);
  return kExitOk;
}

}  // namespace tilewalk
