// tilewalk race: the recorded race of the fast kernels, marked as recorded.
#include <fmt/format.h>

#include <cstdlib>
#include <optional>

#include "app/output.h"
#include "app/verbs.h"
#include "session/resources.h"
#include "trace/recorded_race.h"

namespace tilewalk {
namespace {

constexpr const char* kFiles[] = {"fast_forward_h200_2026-11-21.csv", "fast_backward_h200_2026-11-21.csv"};

double leading_number(const std::map<std::string, std::string>& words, const std::string& key) {
  const auto at = words.find(key);
  return at == words.end() ? 0 : std::strtod(at->second.c_str(), nullptr);
}

// How many times as fast as another rung on the same shape; nothing if that rung did not take part.
std::optional<double> times_as_fast(const RecordedRace& race, const RaceRow& row, const std::string& rung) {
  const RaceRow* other = race.beside(row, rung);
  return other ? std::optional(other->median_ms() / row.median_ms()) : std::nullopt;
}

Json ratio(const RecordedRace& race, const RaceRow& row, const std::string& rung) {
  const auto times = times_as_fast(race, row, rung);
  return times ? Json(*times) : Json(nullptr);
}

Json json_row(const RecordedRace& race, const RaceRow& row, double peak_tflops) {
  return {{"rung", row.rung},
          {"pass", row.pass},
          {"n", row.n},
          {"d", row.d},
          {"heads", row.heads},
          {"batch", row.batch},
          {"causal", row.causal},
          {"dtype", row.dtype},
          {"ms_median", row.median_ms()},
          {"ms_min", row.smallest_ms()},
          {"ms_max", row.largest_ms()},
          {"tflops", row.tflops()},
          {"share_of_peak", peak_tflops > 0 ? Json(row.tflops() / peak_tflops) : Json(nullptr)},
          {"extra_bytes", nullptr},
          {"vs_naive", ratio(race, row, "naive")},
          {"vs_torch_flash", ratio(race, row, "torch_flash")},
          {"vs_torch_cudnn", ratio(race, row, "torch_cudnn")}};
}

}  // namespace

int race_verb(const CommandLine& line) {
  if (line.has("timeline")) return chip_timeline(line);
  if (line.has("gpu") || line.has("cpu"))
    return refuse({Issue{"race", line.has("gpu") ? "gpu" : "cpu", "is not run by this program yet",
                         "tilewalk race --recorded shows the race recorded on an H200; kernels/fast/build.sh and "
                         "kernels/fast/bench_torch.py run it on yours"}});
  const Result<std::string> root = find_resource_root();
  if (!root) return refuse(root.issues());
  Json json = {{"against", "recorded"}, {"rows", Json::array()}};
  for (const char* file : kFiles) {
    const Result<RecordedRace> race = load_recorded_race(*root + "/assets/measurements/" + file);
    if (!race) return refuse(race.issues());
    const auto& words = race->provenance;
    const double peak = leading_number(words, "bf16 product 8192^3, TFLOP/s");
    if (peak > 0) json["ceilings"] = {{"matmul_tflops", peak}, {"copy_gb_per_s", leading_number(words, "copy, GB/s")}};
    const std::string card = words.contains("card, driver, top clock") ? words.at("card, driver, top clock")
                             : words.contains("card, driver")          ? words.at("card, driver")
                                                                       : "";
    const std::string date = words.contains("date") ? words.at("date") : "";
    if (!json.contains("machine")) json["machine"] = card, json["date"] = date;
    const double ceiling = json.contains("ceilings") ? json["ceilings"]["matmul_tflops"].get<double>() : 0;
    for (const RaceRow& row : race->rows) json["rows"].push_back(json_row(*race, row, ceiling));
    if (line.has("json")) continue;
    fmt::print("Recorded on {} on {}: {} samples a cell, medians\n", card, date.substr(0, 10),
               race->rows.front().ms.size());
    fmt::print("  {:<9} {:<16} {:>6} {:>4} {:<7} {:>10} {:>9} {:>9} {:>9} {:>9}\n", "pass", "rung", "N", "d", "mask",
               "ms", "TFLOP/s", "× naive", "× FLASH", "× cuDNN");
    const auto times = [&](const RaceRow& row, const char* rung) {
      const auto faster = times_as_fast(*race, row, rung);
      return faster ? fmt::format("{:.2f}", *faster) : std::string("·");
    };
    for (const RaceRow& row : race->rows)
      fmt::print("  {:<9} {:<16} {:>6} {:>4} {:<7} {:>10.3f} {:>9.0f} {:>9} {:>9} {:>9}\n", row.pass, row.rung, row.n,
                 row.d, row.causal ? "causal" : "none", row.median_ms(), row.tflops(), times(row, "naive"),
                 times(row, "torch_flash"), times(row, "torch_cudnn"));
    fmt::print("\n");
  }
  if (line.has("json")) print_json(json);
  return kExitOk;
}

}  // namespace tilewalk
