// What PyTorch's backends took for a call, from the races that were recorded: the very call, or else one near it, and
// which of the two is said. Recorded are forward passes in bf16 with as many KV heads as heads and no attn_mask, on the
// cards of the shipped races.
#pragma once

#include <string>
#include <vector>

#include "dispatch/call.h"
#include "measured/race_times.h"

namespace tilewalk {

struct RecordedBackend {
  Contender who{};
  std::string title;  // "FLASH"
  double ms = 0;
};

struct RecordedCallTimes {
  RaceCell cell;
  bool very_call = false;
  std::vector<RecordedBackend> backends;  // the fastest first; empty: nothing near was recorded
};
// Of another card's times, and without any: nothing.
RecordedCallTimes recorded_times_of(const Call&, const RaceTimes*);

// "Recorded for this very call on an H200: FLASH 65.9 µs, cuDNN 80.6 µs … FLASH was faster than cuDNN, which runs: …"
std::string recorded_words(const RecordedCallTimes&, const std::string& device, std::optional<Contender> that_runs);

}  // namespace tilewalk
