// The races on the page of the race, and which part of them is shown. app/jobs runs a race, the setup loads the
// recorded one, and the page's controller stores both.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>

#include "dispatch/call.h"
#include "measured/race.h"
#include "session/command/job_state.h"

namespace tilewalk {

enum class RaceSource { Recorded, Cpu, Gpu };
enum class RaceMetric { Rate, Time, Share, OverFloor, VsNaive, Memory };

struct RaceChoice {  // n, d: the nearest that was raced is shown; -1: chosen from the race
  RaceSource source = RaceSource::Recorded;
  RaceMetric metric = RaceMetric::Time;
  std::string pass = "forward";
  std::int64_t n = -1, d = -1;
  bool causal = false;
  bool all = false;  // all kernels; else the winner, the best of PyTorch and naive
  bool operator==(const RaceChoice&) const = default;
};

struct RaceNews {  // reported by the thread that races
  RaceSource source = RaceSource::Cpu;
  std::shared_ptr<const Race> race;  // the part finished so far
  bool running = false;
  double fraction = 0;
  std::string doing;    // "cpu_tiled · forward · N 2048 …"
  std::string failure;  // why there is no race
  bool operator==(const RaceNews&) const = default;
};

struct Races : JobState {
  std::shared_ptr<const Race> recorded, cpu, gpu;
  std::string recorded_missing;  // why there is no recorded race
  RaceChoice choice;
  std::optional<Call> call;  // the window's; a race says where it differs
  // Seconds since the bars of the race on screen began to run, slower than recorded by a power of ten. Empty: they are
  // at rest.
  std::optional<double> seconds_run;
  bool answered = false;   // presented: the reason, which answers the page's question, is shown
  bool shows_win = false;  // presented: what the window's call wins, in the place of the bars
  RaceSource running_on = RaceSource::Cpu;
  std::string doing, failure;

  const std::shared_ptr<const Race>& of(RaceSource source) const {
    return source == RaceSource::Recorded ? recorded : source == RaceSource::Cpu ? cpu : gpu;
  }
};

}  // namespace tilewalk
