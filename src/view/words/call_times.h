// The times of the two calls that are compared, each as a whole: a recorded pair where a race ran both, else a
// modelled one. The page of comparison and `counters --against` have no other pair: bars, table and sentence agree. A
// schedule that writes S to HBM has the time of the naive attention that races, whose S has 16 bits; a walk with the
// tiles of PyTorch's cuDNN the time that was recorded of cuDNN; any other that of the fast kernel with its schedule.
// Not modelled: cuDNN's time where no race recorded it.
#pragma once

#include <optional>
#include <string>

#include "core/predict/compare.h"
#include "measured/prediction_error.h"

namespace tilewalk {

struct CallTimes {
  double ms[2] = {};              // pinned, now
  double modelled_ms[2] = {};     // of the same two kernels, by the model of time; 0: not modelled
  bool recorded = false;          // both were recorded on that card; else both are modelled
  std::string card = {};          // "H200"
  std::string variants[2] = {};   // of a side that differs from its walk: "S in bf16"
  std::string libraries[2] = {};  // of a side whose recorded time is of another library's kernel: "cuDNN"
  bool of_walks = false;          // both are the modelled times of the walks themselves
  const char* kind() const { return recorded ? "recorded" : "modelled"; }
  // "S in bf16": what a title of these times adds; empty where the bytes beside them are of the same kernels.
  std::string variant() const { return variants[0].empty() ? variants[1] : variants[0]; }
  // " by cuDNN", after the schedule's name beside that side's time; empty where the kernel is Tilewalk's.
  std::string by(int side) const { return libraries[side].empty() ? "" : " by " + libraries[side]; }
  bool operator==(const CallTimes&) const = default;
};

// The kernel whose time that walk has, beside naive: cuDNN or one of Tilewalk. None where no kernel has its schedule.
std::optional<Contender> timed_kernel(const Problem&);

// walk_prediction(), but that of cuDNN where the walk has its tiles. Empty without races.
WalkPrediction timed_walk(const Problem&, double modelled_ms, const RaceTimes*);

// Why one side has no time: naive attention whose S and P do not fit on the card. Empty where both have one.
std::string why_no_time(const Comparison&);

// None where a time is not known.
std::optional<CallTimes> call_times(const Comparison&, const RaceTimes*);

}  // namespace tilewalk
