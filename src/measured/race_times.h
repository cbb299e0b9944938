// Every time recorded in the races of a card, by contender and call: the times that predictions are compared with.
// Medians of raw samples; where two races ran the same call, the later one's. Rows that were not quiet count too (a
// prediction may not select the data that it is compared with); rows that were refused or ran out of memory are not
// here. Shapes sampled after the model was fixed (drawn_*) are marked, except those that an earlier race had run: they
// were not new.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "base/result.h"
#include "core/predict/attention_call.h"
#include "core/problem/contender.h"
#include "core/problem/device_model.h"
#include "measured/cpu_times.h"
#include "measured/race.h"
#include "measured/recorded_race.h"

namespace tilewalk {

struct RaceTime : RaceCell {
  std::string rung;    // a contender's word
  double ms = 0;       // median
  std::string file;    // "eager_forward_h200_2026-11-23.csv"
  std::string sample;  // the file's remark on the sample: "28 shapes, after the model of …"; empty: not sampled
};

// The cards of the shipped races, by their names in the device table; first the one that lessons use.
const std::vector<std::string>& raced_devices();
bool was_raced(const std::string& device);

struct RaceTimes {
  std::string device = kRecordedOn;
  std::vector<RaceTime> times;  // by file, then in the file's order
  CpuTimes cpu;                 // times of another machine
  std::optional<double> ms_of(Contender, const RaceCell&) const;
};

// The races (.csv) of a folder whose names pass the filter, oldest first: a name ends with its day, "…_2026-11-22.csv".
std::vector<std::string> race_files(const std::string& folder, const std::function<bool(const std::string&)>& is_one);

// The recorded call that pages name beside one that was not recorded: of its pass and mask, with a time of a kernel
// of PyTorch. One of the same head size comes before all others, then the one with
// the least distance: the largest of the factors between the two N, head sizes and batch × heads, and among
// equals their product. None beyond a factor of 2.
struct RecordedNeighbour {
  RaceCell cell;
  std::optional<double> fast_ms = {};   // FA-3, else FA-2; none where today runs another build
  std::optional<double> naive_ms = {};  // none where its scores had no memory
};
std::optional<RecordedNeighbour> recorded_neighbour(const RaceTimes&, const RaceCell& of);

// From ROOT/assets/measurements: fast_*, head_256_*, race_64k_*, eager_* and drawn_* of that card (no times without a
// race on it), and the times of kernels/cpu.
Result<RaceTimes> load_race_times(const std::string& root, const std::string& device = kRecordedOn);

}  // namespace tilewalk
