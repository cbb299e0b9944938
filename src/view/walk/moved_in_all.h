// What a finished walk moved, in words and bars, beside naive attention or, for a naive walk, beside the tiled
// schedule; and what became of the score matrices. Bytes are the schedules' counters.
#pragma once

#include <string>
#include <vector>

#include "view/walk/traffic_model.h"

namespace tilewalk {

struct MovedInAll {
  std::string moved;       // "1.81 KiB moved"
  std::string against;     // "not 6.50 KiB"; empty where there is no other way
  std::string ratio;       // "3.6×"; empty where both move as much
  std::string ratio_word;  // "less"
  bool fewer = false;      // than the other way
  std::vector<TrafficBar> bars;
};
MovedInAll moved_in_all(const Problem&, const WholeRuns&);

std::vector<TensorId> score_matrices(ScheduleKind naive);  // that it keeps in HBM
std::string fate_of_scores(const Problem&);                // "S, the 16×16 matrix, never existed"
// What it costs to write and read them: "Naive attention writes S and P to HBM and reads them back: 4.00 of its 6.50
// KiB."
std::string cost_of_scores(const Problem&, const WholeRuns&);
// The parts of what a walk moves less than naive, each from the counters; they add up to the difference: S and P that
// are never stored (less what is stored instead), inputs that taller Q tiles load less often, and tiles that the mask
// skips, which naive computes. Empty where S and P are the only part, or where another part is more, not less.
struct SharesOfLess {
  std::string text,
      brief;  // "Of the 4.69 KiB less, 3.94 because …", "Of the 4.69 KiB saved, 0.75 comes from 6 tiles …"
};
SharesOfLess shares_of_less(const Problem&, const WholeRuns&);
std::string scores_of_long_context(
    const Problem&);  // "At N 131,072 in fp32, S alone would be 64.0 GiB."; empty from that N on

}  // namespace tilewalk
