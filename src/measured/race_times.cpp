#include "measured/race_times.h"

#include <algorithm>
#include <filesystem>
#include <tuple>

#include "base/contains.h"
#include "core/problem/device_model.h"
#include "measured/prediction_error.h"
#include "measured/replaced_builds.h"

namespace tilewalk {
namespace {

namespace fs = std::filesystem;

bool is_sample(const std::string& name) { return name.starts_with("drawn_"); }

bool is_race_of(const std::string& device, const std::string& name) {
  const bool is_race = name.starts_with("fast_") || name.starts_with("head_256_") || name.starts_with("race_64k_") ||
                       name.starts_with("eager_") || is_sample(name);
  return is_race && name.find("_" + device + "_") != std::string::npos;
}

}  // namespace

std::optional<double> RaceTimes::ms_of(Contender who, const RaceCell& cell) const {
  for (const RaceTime& time : times)
    if (time.rung == word_of(who) && static_cast<const RaceCell&>(time) == cell) return time.ms;
  return std::nullopt;
}

const std::vector<std::string>& raced_devices() {
  static const std::vector<std::string> raced = [] {
    std::vector<std::string> out = {kRecordedOn};
    for (const DeviceModel& device : device_models())
      if (device.measured_here() && device.name != kRecordedOn) out.push_back(device.name);
    return out;
  }();
  return raced;
}

bool was_raced(const std::string& device) { return contains(raced_devices(), device); }

std::vector<std::string> race_files(const std::string& folder, const std::function<bool(const std::string&)>& is_one) {
  std::vector<std::string> found;
  std::error_code error;
  for (const auto& entry : fs::directory_iterator(folder, error)) {
    const std::string name = entry.path().filename().string();
    if (name.ends_with(".csv") && is_one(name)) found.push_back(entry.path().string());
  }
  const auto day_and_name = [](const std::string& path) {
    const std::string name = fs::path(path).filename().string();
    return name.substr(name.size() - std::min<std::size_t>(name.size(), 14)) + name;
  };
  std::sort(found.begin(), found.end(),
            [&](const std::string& a, const std::string& b) { return day_and_name(a) < day_and_name(b); });
  return found;
}

Result<RaceTimes> load_race_times(const std::string& root, const std::string& device) {
  RaceTimes out;
  out.device = device;
  const auto is_one = [&](const std::string& name) { return is_race_of(device, name); };
  for (const std::string& path : race_files(root + "/assets/measurements", is_one)) {
    const Result<Race> race = load_recorded_race(path);
    if (!race) return race.issues();
    for (const RaceRow& row : race->rows) {
      const ContenderRow* const contender = contender_raced_as(row.rung, row.pass == "backward");
      if (row.ms.empty() || (contender && was_replaced(contender->who, call_of(row), path, device_of(device))))
        continue;
      const RaceCell& cell = row;
      const auto same = std::find_if(out.times.begin(), out.times.end(), [&](const RaceTime& t) {
        return t.rung == row.rung && static_cast<const RaceCell&>(t) == cell;
      });
      const std::string name = fs::path(path).filename().string();
      const std::string sample = is_sample(name) ? race->word("drawn") : "";
      const RaceTime time{cell, row.rung, row.median_ms(), name, sample};
      if (same == out.times.end())
        out.times.push_back(time);
      else if (sample.empty())
        *same = time;
    }
  }
  const Result<CpuTimes> cpu = load_cpu_times(root + "/" + kCpuTimesFile);
  if (!cpu) return cpu.issues();
  out.cpu = *cpu;
  return out;
}

std::optional<RecordedNeighbour> recorded_neighbour(const RaceTimes& times, const RaceCell& of) {
  constexpr double farthest = 2;
  const auto factor = [](std::int64_t x, std::int64_t y) { return double(std::max(x, y)) / double(std::min(x, y)); };
  std::optional<RecordedNeighbour> out;
  std::tuple<bool, double, double> least;  // whether the head size differs, the distance, and the product of factors
  for (const RaceTime& time : times.times) {
    const ContenderRow* const about = contender_named(time.rung);
    if (!about || about->by != RunBy::PyTorch || time.causal != of.causal || time.pass != of.pass) continue;
    if (std::min({time.n, of.n, time.d, of.d, of.heads * of.batch}) < 1) continue;
    const double longer = factor(time.n, of.n), wider = factor(time.d, of.d),
                 more = factor(time.heads * time.batch, of.heads * of.batch);
    const std::tuple rank{time.d != of.d, std::max({longer, wider, more}), longer * wider * more};
    if (std::get<1>(rank) > farthest || (out && rank >= least)) continue;
    const std::optional<double> naive = times.ms_of(Contender::Naive, time),
                                third = times.ms_of(Contender::FlashV3, time),
                                fast = third ? third : times.ms_of(Contender::FlashV2, time);
    out = RecordedNeighbour{time, fast, naive}, least = rank;
  }
  return out;
}

}  // namespace tilewalk
