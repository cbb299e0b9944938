#include "measured/race_times.h"

#include <algorithm>
#include <filesystem>
#include <iterator>

namespace tilewalk {
namespace {

namespace fs = std::filesystem;

// Oldest first: "…_2026-11-22.csv".
std::vector<fs::path> races_in(const std::string& folder, const std::string& device) {
  std::vector<fs::path> found;
  std::error_code error;
  for (const auto& entry : fs::directory_iterator(folder, error)) {
    const std::string name = entry.path().filename().string();
    const bool is_race = name.starts_with("fast_") || name.starts_with("head_256_") || name.starts_with("race_64k_") ||
                         name.starts_with("eager_");
    if (is_race && name.find("_" + device + "_") != std::string::npos && name.ends_with(".csv"))
      found.push_back(entry.path());
  }
  const auto day_and_name = [](const fs::path& path) {
    const std::string name = path.filename().string();
    return name.substr(name.size() - std::min<std::size_t>(name.size(), 14)) + name;
  };
  std::sort(found.begin(), found.end(),
            [&](const fs::path& a, const fs::path& b) { return day_and_name(a) < day_and_name(b); });
  return found;
}

}  // namespace

std::optional<double> RaceTimes::ms_of(const std::string& rung, const RaceCell& cell) const {
  for (const RaceTime& time : times)
    if (time.rung == rung && static_cast<const RaceCell&>(time) == cell) return time.ms;
  return std::nullopt;
}

bool was_raced(const std::string& device) {
  return std::find(std::begin(kRacedDevices), std::end(kRacedDevices), device) != std::end(kRacedDevices);
}

Result<RaceTimes> load_race_times(const std::string& root, const std::string& device) {
  RaceTimes out;
  out.device = device;
  for (const fs::path& path : races_in(root + "/assets/measurements", device)) {
    const Result<Race> race = load_recorded_race(path.string());
    if (!race) return race.issues();
    for (const RaceRow& row : race->rows) {
      if (row.ms.empty()) continue;
      const RaceCell& cell = row;
      const auto same = std::find_if(out.times.begin(), out.times.end(), [&](const RaceTime& t) {
        return t.rung == row.rung && static_cast<const RaceCell&>(t) == cell;
      });
      const RaceTime time{cell, row.rung, row.median_ms(), path.filename().string()};
      if (same == out.times.end())
        out.times.push_back(time);
      else
        *same = time;
    }
  }
  const Result<CpuTimes> cpu = load_cpu_times(root + "/" + kCpuTimesFile);
  if (!cpu) return cpu.issues();
  out.cpu = *cpu;
  return out;
}

}  // namespace tilewalk
