// The window's call as rows of a race that was not run: one row for each contender, with its predicted time. A kernel
// of PyTorch has the modelled time of the kernel here with its schedule, times the recorded ratio of the two
// (measured/win_pair.h). A row whose call another race recorded has the recorded time, where naive and the fastest
// kernel here have one too. Forward passes. Not modelled: samples; a row has one time.
#pragma once

#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "core/problem/device_model.h"
#include "measured/prediction_error.h"
#include "measured/race.h"
#include "measured/race_times.h"

namespace tilewalk {

struct RaceOfCall {
  Race race;                                   // rows in the order of contenders; no provenance
  std::string machine;                         // "H200"
  bool recorded_card = false;                  // the card of the shipped race
  std::optional<RecordedNeighbour> near;       // the recorded call beside it
  std::set<std::string> recorded;              // rungs whose time is recorded
  std::map<std::string, double> on_paper;      // the pencil method's times, by rung, ms
  std::map<std::string, std::string> reasons;  // why the model's time is far from it (view/words/paper_reason), or ""
};

// Rows: of one call. races: of that card, or null; device: null on a processor. None where naive or every tiled kernel
// has neither a time nor a reason that memory is too small.
std::optional<RaceOfCall> race_of_call(const std::vector<PredictionRow>&, const RaceTimes* races,
                                       const DeviceModel* device);

// For a tooltip: the time, how it is known, and the speed-up.
std::string detail_of_call(const RaceOfCall&, const RaceRow&);

}  // namespace tilewalk
