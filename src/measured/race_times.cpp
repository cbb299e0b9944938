#include "measured/race_times.h"

#include <algorithm>
#include <filesystem>
#include <span>
#include <tuple>

#include "base/contains.h"
#include "core/problem/build_choice.h"
#include "core/problem/device_model.h"
#include "measured/prediction_error.h"

namespace tilewalk {
namespace {

namespace fs = std::filesystem;

bool is_sample(const std::string& name) { return name.starts_with("drawn_"); }

bool is_race_of(const std::string& device, const std::string& name) {
  const bool is_race = name.starts_with("fast_") || name.starts_with("head_256_") || name.starts_with("race_64k_") ||
                       name.starts_with("eager_") || is_sample(name);
  return is_race && name.find("_" + device + "_") != std::string::npos;
}

// The build that runs a call today, and the call as the choice of that build sees it.
struct BuildToday {
  fast::PartsShape shape;
  fast::BuildChoice choice;
};

// Without a mask, rows of query heads that share K and V are rows of one head.
BuildToday build_today(Contender who, const AttentionCall& call, const DeviceModel& device) {
  const std::int64_t heads = call.causal ? call.all_heads() : call.all_kv_heads();
  const fast::PartsShape shape{heads, call.all_heads() / heads * call.n, call.keys(), call.causal, 0};
  return {shape, fast::choose_build(who, call.d, shape, device.sms)};
}

// FA-2 divides the last of several waves since plan_parts() counts it as a full one. With the estimate before, in which
// each multiprocessor had one block in that wave, these tiles were whole. Timed in last_wave_*.csv, which are no races.
bool divides_last_wave(const BuildToday& today, int sms) {
  const fast::BuildChoice& choice = today.choice;
  const fast::PartsPlan& plan = choice.plan;
  if (choice.build.blocks != 2 || plan.tiles == 0 || plan.whole == 0) return false;
  const double full = double(plan.whole) / (2.0 * sms), last = fast::wave_share(plan.tiles, 2, sms);
  const double before = fast::plan_parts(today.shape, choice.build, sms, false).us * (full + last) / (full + 1);
  return plan.us >= fast::kWorthwhile * before;
}

constexpr std::string_view kLastWaveIsFull = "2026-11-29";  // the first day whose files all timed that choice

// The first day whose files timed the build that runs today; empty: every file did.
std::string_view first_day_of(Contender who, const fast::BuildChoice& choice) {
  const std::int64_t d = choice.build.d;
  if (d == 32) return "2026-11-28";
  const bool new_size = d == 96 || d == 160 || d == 192 || (who == Contender::FlashV2 && d == 256);
  return new_size || choice.variant != 0 || choice.plan.divided() ? "2026-11-26" : "";
}

// The files of the last day before FA-2 had tiles of 64 rows up to d = 128 (core/problem/build_choice.h), and those of
// that day that timed them.
constexpr std::string_view kLastWithoutShortTiles = "2026-11-30.csv";
constexpr std::string_view kTimedShortTiles[] = {"shapes_h200_seed80115", "short_tiles_h200", "parts_estimate_v"};

// Likewise before parts cost less where they are joined faster (core/problem/parts_plan.h).
constexpr std::string_view kTimedParts[] = {"parts_estimate_v"};

// timed: beginnings of names of files of the last day that timed the change.
bool is_older(const std::string& file, std::span<const std::string_view> timed) {
  const std::string_view day = std::string_view(file).substr(file.size() - kLastWithoutShortTiles.size());
  return day <= kLastWithoutShortTiles && std::none_of(timed.begin(), timed.end(), [&](std::string_view each) {
           return file.find(each) != std::string::npos;
         });
}

bool has_short_tiles(const AttentionCall& call, const BuildToday& today) {
  return !call.causal && call.d <= 128 && today.choice.variant == fast::v2_short_variant(call.d);
}

bool has_other_parts(const BuildToday& today, const DeviceModel& device) {
  const fast::BuildChoice& choice = today.choice;
  if (choice.variant == fast::kFewRowsVariant || choice.variant == fast::kBulkRowsVariant || !choice.plan.divided())
    return false;
  const fast::PartsPlan before = fast::plan_parts(today.shape, choice.build, device.sms);
  return before.tiles != choice.plan.tiles || before.each != choice.plan.each;
}

}  // namespace

bool lacked_short_tiles(const AttentionCall& call, const std::string& file, const DeviceModel& device) {
  return is_older(file, kTimedShortTiles) && has_short_tiles(call, build_today(Contender::FlashV2, call, device));
}

bool lacked_parts(Contender who, const AttentionCall& call, const std::string& file, const DeviceModel& device) {
  return is_older(file, kTimedParts) && has_other_parts(build_today(who, call, device), device);
}

bool was_replaced(Contender who, const AttentionCall& call, const std::string& file, const DeviceModel& device) {
  constexpr std::string_view kDay = "2026-11-23.csv";
  if (who != Contender::FlashV2 && who != Contender::FlashV3) return false;
  const BuildToday today = build_today(who, call, device);
  const std::string day = file.substr(file.size() - std::min(file.size(), kDay.size()));
  if (day < first_day_of(who, today.choice)) return true;
  if (is_older(file, kTimedParts) && has_other_parts(today, device)) return true;
  if (who == Contender::FlashV3) return false;
  return (!call.causal && day < kLastWaveIsFull && divides_last_wave(today, device.sms)) ||
         (is_older(file, kTimedShortTiles) && has_short_tiles(call, today));
}

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
