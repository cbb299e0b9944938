// Every time that a race on a card has written down, by who ran and what: what predictions are held against. Medians of
// raw samples; of two races that ran the same, the later one's. Rows that were not quiet count too (a prediction may
// not choose its witnesses); rows that were refused or ran out of memory are not here. Shapes that were drawn after the
// model was fixed (drawn_*) are told apart, but for those that a race had run before: they were no news.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "base/result.h"
#include "measured/cpu_times.h"
#include "measured/race.h"
#include "measured/recorded_race.h"

namespace tilewalk {

struct RaceTime : RaceCell {
  std::string rung;   // a contender's word
  double ms = 0;      // median
  std::string file;   // "eager_forward_h200_2026-11-23.csv"
  std::string drawn;  // what its file says of the draw: "28 shapes, after the model of …"; empty: of no draw
};

// The cards that the shipped races ran on, by their names in the device table; the one of every lesson first.
const std::vector<std::string>& raced_devices();
bool was_raced(const std::string& device);

struct RaceTimes {
  std::string device = kRecordedOn;
  std::vector<RaceTime> times;  // by file, then as they lie in it
  CpuTimes cpu;                 // beside them: another machine
  std::optional<double> ms_of(Contender, const RaceCell&) const;
};

// The races (.csv) of a folder whose names pass, oldest first: a name ends with its day, "…_2026-11-22.csv".
std::vector<std::string> race_files(const std::string& folder, const std::function<bool(const std::string&)>& is_one);

// From ROOT/assets/measurements: fast_*, head_256_*, race_64k_*, eager_* and drawn_* of that card (no times where none
// raced on it), and what kernels/cpu took.
Result<RaceTimes> load_race_times(const std::string& root, const std::string& device = kRecordedOn);

}  // namespace tilewalk
